// Invitations, and passwords and addresses that are set by mailed links.
import { z } from 'zod';
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import { answer, type LinkBaseOf, type RequestOf } from '../routes-signed-in.ts';
import { AddressSetShape, InvitedUserShape, OkShape, PasswordLinkShape, PasswordSetShape } from '../shapes.ts';
import { ConfirmEmailBody, InviteBody, ResetOrRequestBody } from './input.ts';
import { LINK_KINDS } from './link.ts';
import { PAGE_HEADERS, toLinkPage } from './pages.ts';

const TAG = 'Authentication';

export function mailedLinkRoutes(access: Access, ports: { requestOf: RequestOf; linkBase: LinkBaseOf }): Route[] {
  const pages = LINK_KINDS.map((kind) =>
    route({
      method: 'get',
      path: `/admin/${kind}`,
      summary: 'The page that a mailed link leads to',
      tag: TAG,
      allow: 'public',
      site: false,
      documented: false,
      answers: { 200: { description: 'The page', contentType: 'text/html' } },
      handle: () => ({ type: 'text/html; charset=utf-8', headers: PAGE_HEADERS, body: toLinkPage(kind) }),
    }),
  );

  return [
    ...pages,
    route({
      method: 'post',
      path: '/api/auth/reset',
      summary: 'Request a link that sets a new password, or use one',
      tag: TAG,
      allow: 'public',
      site: false,
      body: ResetOrRequestBody,
      answers: {
        200: {
          description:
            'With `email`: the same answer for every address; an address with an account is mailed a link that is valid for 30 minutes. With `token` and `password`: the password is set, every session has ended, and `tokens` lists the access tokens that remain valid',
          schema: z.union([PasswordSetShape, OkShape]),
        },
        400: { description: 'Invalid input; or the link was used or replaced, or is too old' },
        409: { description: 'An invitation, and the address has an account already' },
        429: { description: 'Too many links requested from this address; see Retry-After' },
      },
      async handle(call) {
        const body = await call.body();
        if ('token' in body) {
          const user = await access.links.reset(body);
          const tokens = access.tokens.listRemaining(user);
          return answer({ ok: true, email: user.email, name: user.name, tokens });
        }
        access.links.requestReset(body.email, ports.requestOf(call).ip, ports.linkBase(call));
        return answer({ ok: true });
      },
    }),
    route({
      method: 'post',
      path: '/api/auth/email',
      summary: 'Confirm a new address with the link that was mailed to it',
      tag: TAG,
      allow: 'public',
      site: false,
      body: ConfirmEmailBody,
      answers: {
        200: { description: 'The account has the new address', schema: AddressSetShape },
        400: { description: 'The link was used or replaced, or is too old' },
        409: { description: 'The address was taken meanwhile' },
      },
      async handle(call) {
        const { email, name } = await access.links.confirmEmail((await call.body()).token);
        return answer({ ok: true, email, name });
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/users/invite',
      summary: 'Invite a user, who sets the password by a link; repeat it for a new link',
      tag: 'Users',
      allow: 'team:manage',
      site: false,
      body: InviteBody,
      answers: {
        200: { description: 'The user; with the link if mail is not set up', schema: InvitedUserShape },
        409: { description: 'The address belongs to a user whom the caller sees, and who has a password' },
        503: {
          description:
            'It is not configured where links lead: set CMS_PUBLIC_URL; or mail is not set up, and there are users whom the caller does not see',
        },
      },
      handle: async (call) => answer(await access.team.invite(call.principal, await call.body(), ports.linkBase(call))),
    }),
    route({
      method: 'post',
      path: '/api/admin/users/{id}/password-link',
      summary: 'Mail a user a link that sets a new password; for an invited user a new invitation',
      tag: 'Users',
      allow: 'team:manage',
      site: false,
      answers: {
        200: {
          description: 'The link is on its way, or in the answer if mail is not set up',
          schema: PasswordLinkShape,
        },
        404: { description: 'No such user' },
        409: { description: 'The user is suspended, or signs in through the OpenID provider' },
        503: { description: 'It is not configured where links lead: set CMS_PUBLIC_URL' },
      },
      async handle(call) {
        const { id } = access.team.get(call.principal, call.params.id ?? '');
        return answer(await access.team.sendPasswordLink(call.principal, id, ports.linkBase(call)));
      },
    }),
  ];
}
