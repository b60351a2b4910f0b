// Signing in and out, who is signed in, and the first set-up.
import { parseJsonObject } from '../../http/body.ts';
import { type Route, route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Access } from '../access.ts';
import { LoginBody, SetupBody } from '../input.ts';
import { answer, beginSession, getSession, isSecure, type RequestOf, renewed, toClient } from '../routes-signed-in.ts';
import { MeShape, OkShape, SetupStateShape, SignedInShape } from '../shapes.ts';
import { toShownUser, type User } from '../users/user.ts';
import { findCookie, toClearedCookie } from './cookie.ts';
import { type AccessRequest, refuseCrossSite } from './origin.ts';

const TAG = 'Authentication';

export function authRoutes(access: Access, requestOf: RequestOf): Route[] {
  const findSession = ({ headers }: AccessRequest) => findCookie(headers, 'session', isSecure(access));

  /** Public routes have no guard against forged requests, so these apply it themselves, to requests with the cookie. */
  function refuseForged(request: AccessRequest): void {
    if (findSession(request) !== undefined) refuseCrossSite(request, access.publicOrigin);
  }

  async function signedIn(user: User, request: AccessRequest) {
    const cookies = await beginSession(access, user, request);
    return answer({ ok: true, email: user.email, name: user.name }, { 'Set-Cookie': cookies });
  }

  return [
    route({
      method: 'post',
      path: '/api/auth/login',
      summary: 'Sign in',
      tag: TAG,
      allow: 'public',
      site: false,
      body: LoginBody,
      answers: {
        200: { description: 'Signed in; sets the session cookie, and one for the browser', schema: SignedInShape },
        401: { description: 'Wrong e-mail, password or code; `one_time_code_required` asks for a code' },
        403: {
          description: 'The account is suspended; or its role requires the second factor of the sign-in provider',
        },
        429: { description: 'Too many failures; see Retry-After' },
      },
      async handle(call) {
        const request = requestOf(call);
        refuseForged(request);
        const user = await access.signIn.login(await call.body(), toClient(access, request));
        await access.recordSignIn(user, [{ key: 'address', before: null, after: request.ip }]);
        return signedIn(user, request);
      },
    }),
    route({
      method: 'post',
      path: '/api/auth/logout',
      summary: 'Sign out',
      tag: TAG,
      allow: 'public',
      site: false,
      answers: { 200: { description: 'Signed out; clears the session cookie', schema: OkShape } },
      async handle(call) {
        const request = requestOf(call);
        refuseForged(request);
        const cookie = findSession(request);
        const session = cookie === undefined ? undefined : access.sessions.find(cookie);
        if (session) await access.sessions.end(session.sid);
        return answer({ ok: true }, { 'Set-Cookie': toClearedCookie(isSecure(access)) });
      },
    }),
    route({
      method: 'get',
      path: '/api/auth/me',
      summary: 'The current user',
      tag: TAG,
      allow: 'public',
      site: false,
      answers: {
        200: {
          description: 'The user, or null if nobody is signed in; renews a session cookie that is a day old',
          schema: MeShape,
        },
      },
      handle(call) {
        const { principal } = call;
        const user = principal.userId === null ? undefined : access.users.find(principal.userId);
        const headers = principal.kind === 'session' ? renewed(access, getSession(access, requestOf(call))) : {};
        return answer({ user: user ? toShownUser(user) : null }, headers);
      },
    }),
    route({
      method: 'get',
      path: '/api/auth/setup',
      summary: 'Whether there are users',
      tag: TAG,
      allow: 'public',
      site: false,
      answers: { 200: { description: 'False before the first set-up', schema: SetupStateShape } },
      handle() {
        const hasUsers = access.users.hasUsers();
        return answer(!hasUsers && access.setupGate.isTokenNeeded ? { hasUsers, tokenRequired: true } : { hasUsers });
      },
    }),
    route({
      method: 'post',
      path: '/api/auth/setup',
      summary: 'Create the first admin',
      tag: TAG,
      allow: 'public',
      site: false,
      body: SetupBody,
      answers: {
        200: { description: 'Created; sets the session cookie', schema: SignedInShape },
        403: { description: 'There are users already; or the set-up token is missing or wrong' },
      },
      async handle(call) {
        const request = requestOf(call);
        refuseForged(request);
        access.signIn.refuseSetUpTwice();
        access.setupGate.check(request, findSetupToken(await call.bytes()));
        return signedIn(await access.signIn.setUp(await call.body()), request);
      },
    }),
  ];
}

/** More members than a set-up has. */
const SETUP_MEMBERS = 100;

/** Reads the token from a body that is not validated yet, so that a 403 comes before a 400. */
function findSetupToken(body: Buffer): unknown {
  try {
    return parseJsonObject(body, { maxMembers: SETUP_MEMBERS }).setupToken;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
