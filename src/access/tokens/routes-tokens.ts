// Access tokens: one's own, and those of others for people who manage the team. With the session cookie only: a token
// must not be able to create another.
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import { toAuditActor } from '../actor.ts';
import { NewTokenBody, OfUserQuery } from '../input.ts';
import { need } from '../refusals.ts';
import { answer, getUser } from '../routes-signed-in.ts';
import { CreatedTokenShape, SuccessShape, TokenListShape } from '../shapes.ts';

const TAG = 'Access tokens';

export function tokenRoutes(access: Access): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/access-tokens',
      summary: 'List one’s own access tokens, masked; with `user`, those of another user (team:manage)',
      tag: TAG,
      allow: 'session',
      site: false,
      query: OfUserQuery,
      answers: {
        200: { description: 'The tokens', schema: TokenListShape },
        403: {
          description:
            'The role may not have tokens; or they are another user’s, and team:manage or some of that user’s rights are missing',
        },
        404: { description: 'No such user' },
      },
      handle: (call) => answer({ tokens: access.oversight.listTokens(call.principal, call.query().user) }),
    }),
    route({
      method: 'post',
      path: '/api/admin/access-tokens',
      summary: 'Create an access token',
      tag: TAG,
      allow: 'session',
      site: false,
      body: NewTokenBody,
      answers: {
        200: { description: 'The token, shown only this once', schema: CreatedTokenShape },
        429: { description: 'Too many changes of one’s own account in an hour; see Retry-After' },
        409: { description: 'The user has too many tokens; revoke one first' },
      },
      async handle(call) {
        need(call.principal, 'tokens:manage');
        access.refuseOften(call.principal);
        const owner = getUser(access, call.principal);
        const created = await access.tokens.create(owner, await call.body(), toAuditActor(call.principal));
        access.logger.info({ userId: call.principal.userId, tokenId: created.id }, 'an access token was created');
        return answer(created);
      },
    }),
    route({
      method: 'delete',
      path: '/api/admin/access-tokens/{id}',
      summary: 'Revoke an access token',
      tag: TAG,
      allow: 'session',
      site: false,
      answers: {
        200: { description: 'Revoked', schema: SuccessShape },
        403: { description: 'The token belongs to a user with more rights' },
        404: { description: 'No such token' },
      },
      async handle({ principal, params }) {
        await access.oversight.revokeToken(principal, params.id ?? '');
        return answer({ success: true });
      },
    }),
  ];
}
