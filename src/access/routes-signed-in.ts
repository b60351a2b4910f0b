// Shared by the routes of signed-in users: the user, the session, and answers that no cache keeps.

import type { Answer, Call } from '../http/route.ts';
import { unauthenticated } from '../lib/errors.ts';
import type { Access } from './access.ts';
import type { Principal } from './principal.ts';
import { findCookie, toDeviceCookie, toSessionCookie } from './sessions/cookie.ts';
import type { AccessRequest } from './sessions/origin.ts';
import type { Client } from './sessions/session.ts';
import type { Session } from './sessions/sessions.ts';
import type { User } from './users/user.ts';

type AnyCall = Call<unknown, unknown, unknown>;
/** The request of a call as access sees it: the client's address behind proxies, and the requested host. */
export type RequestOf = (call: AnyCall) => AccessRequest;
/** Where mailed links lead (links/link-base.ts); undefined if that is not configured. */
export type LinkBaseOf = (call: AnyCall) => string | undefined;

export function answer(body: object, headers: Answer['headers'] = {}): Answer {
  return { status: 200, headers: { 'Cache-Control': 'no-store', ...headers }, body };
}

/** The user of a session; routes that need one are declared with `allow: 'session'`. */
export function getUser(access: Access, principal: Principal): User {
  const user = principal.userId === null ? undefined : access.users.find(principal.userId);
  if (!user) throw unauthenticated('sign in first');
  return user;
}

/** The session of the request's cookie. Only for calls whose principal is a session. */
export function getSession(access: Access, request: AccessRequest): Session {
  const cookie = findCookie(request.headers, 'session', isSecure(access));
  const session = cookie === undefined ? undefined : access.sessions.find(cookie);
  if (!session) throw unauthenticated('sign in first');
  return session;
}

/** The client of a request: for the throttle, and for the record of a session. */
export function toClient(access: Pick<Access, 'publicOrigin'>, { ip, headers }: AccessRequest): Client {
  const device = findCookie(headers, 'device', isSecure(access));
  return { address: ip, userAgent: headers['user-agent'] ?? '', device };
}

/** True if cookies are sent over https only. */
export function isSecure({ publicOrigin }: Pick<Access, 'publicOrigin'>): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

/** Begins a session for a user who has just signed in, and returns its cookies. */
export async function beginSession(access: Access, user: User, request: AccessRequest): Promise<string[]> {
  const client = toClient(access, request);
  access.hintHttps(request);
  const session = await access.sessions.begin(user, client);
  const device = access.devices.issue(user.id, client.device);
  return [toSessionCookie(session, isSecure(access)), toDeviceCookie(device, isSecure(access))];
}

/** The headers that renew a session cookie that is a day old: a user who comes back within a week stays signed in. */
export function renewed(access: Access, session: Session): { 'Set-Cookie'?: string } {
  const cookie = access.sessions.renewOld(session);
  return cookie === undefined ? {} : { 'Set-Cookie': toSessionCookie(cookie, isSecure(access)) };
}
