// A signed-in user's own page.
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import { PreferencesBody, ProfileBody } from '../input.ts';
import {
  answer,
  getSession,
  isSecure,
  type LinkBaseOf,
  type RequestOf,
  renewed,
  toClient,
} from '../routes-signed-in.ts';
import { toSessionCookie } from '../sessions/cookie.ts';
import { ProfileShape, ProfileUpdatedShape } from '../shapes.ts';
import { isAudited } from './profile.ts';

export function profileRoutes(
  access: Access,
  { requestOf, linkBase }: { requestOf: RequestOf; linkBase: LinkBaseOf },
): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/profile',
      summary: 'One’s own profile, sites and permissions',
      tag: 'Admin',
      allow: 'session',
      site: false,
      answers: { 200: { description: 'The profile; renews a session cookie that is a day old', schema: ProfileShape } },
      handle(call) {
        const session = getSession(access, requestOf(call));
        return answer(access.profiles.get(session.user), renewed(access, session));
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/profile',
      summary: 'Change one’s own profile',
      tag: 'Admin',
      allow: 'session',
      site: false,
      body: ProfileBody,
      answers: {
        200: { description: 'Changed; sets a new session cookie', schema: ProfileUpdatedShape },
        400: { description: 'Invalid input, or the current password is wrong or missing' },
        403: {
          description: 'Only the team’s managers may change the e-mail address, or the user has no access to the site',
        },
        409: { description: 'The e-mail address is taken' },
        429: { description: 'Too many wrong passwords, or too many changes in an hour; see Retry-After' },
      },
      async handle(call) {
        const request = requestOf(call);
        const session = getSession(access, request);
        const input = await call.body();
        if (isAudited(session.user, input)) access.refuseOften(call.principal);
        const { profile, cookie, ...more } = await access.profiles.update(
          session,
          input,
          toClient(access, request),
          access.links.mailerOfAddresses(linkBase(call)),
        );
        return answer({ ok: true, ...profile, ...more }, { 'Set-Cookie': toSessionCookie(cookie, isSecure(access)) });
      },
    }),
    route({
      method: 'patch',
      path: '/api/admin/profile',
      summary: 'Change one’s own preferences',
      tag: 'Admin',
      allow: 'session',
      site: false,
      body: PreferencesBody,
      answers: {
        200: { description: 'The profile', schema: ProfileShape },
        400: { description: 'Invalid input, or too large' },
      },
      async handle(call) {
        const { user } = getSession(access, requestOf(call));
        return answer(await access.profiles.prefer(user, (await call.body()).preferences));
      },
    }),
  ];
}
