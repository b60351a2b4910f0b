// Turns the headers of a request into its principal. Synchronous and quick: it runs before every hot GET. Whatever may
// change (rights, ended sessions, expiry) is checked every time.

import { hash, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../../lib/errors.ts';
import { ANONYMOUS, type Principal } from '../principal.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { heldBack, toSessionPrincipal, type User } from '../users/user.ts';
import { findCookie } from './cookie.ts';
import { type AccessRequest, isCrossSite, refuseCrossSite } from './origin.ts';
import type { Sessions } from './sessions.ts';

export interface Authentication {
  /**
   * The principal of a request: that of the service token if the request has one, else of the bearer token, else of the
   * session cookie, else ANONYMOUS. 401 for a credential that is not valid, 403 for a forged cross-site request.
   */
  authenticate(request: AccessRequest): Principal;
  /** The same for public routes, which ignore a credential that is not valid. */
  identify(request: AccessRequest): Principal;
}

/** The service token opens only routes that ask for its kind of principal, and none that asks for a permission. */
export const SERVICE: Principal = { ...ANONYMOUS, kind: 'service', name: 'Colophon' };

const BEARER = /^bearer +(\S+) *$/i;

export function createAuthentication(options: {
  sessions: Sessions;
  tokens: Tokens;
  serviceToken: string;
  publicOrigin: string | null;
  /** True for a user who has to set up one-time codes before anything else. */
  owesCodes(user: User): boolean;
}): Authentication {
  const { sessions, tokens, publicOrigin } = options;
  const isSecure = publicOrigin?.startsWith('https:') ?? false;
  const serviceDigest = hash('sha256', options.serviceToken, 'buffer');
  const principals = new WeakMap<User, Principal>();

  function principalOf(user: User): Principal {
    const kept = principals.get(user);
    if (kept) return kept;
    const principal = options.owesCodes(user) ? heldBack(toSessionPrincipal(user)) : toSessionPrincipal(user);
    principals.set(user, principal);
    return principal;
  }

  /** Returns undefined for a credential that is not valid. */
  function find(request: AccessRequest): Principal | undefined {
    const { headers } = request;
    const service = headers['x-cms-service-token'];
    if (service !== undefined) {
      const digest = hash('sha256', String(service), 'buffer');
      return timingSafeEqual(digest, serviceDigest) ? SERVICE : undefined;
    }
    if (headers.authorization !== undefined) {
      const token = BEARER.exec(headers.authorization)?.[1];
      return token === undefined ? undefined : tokens.identify(token, request.ip);
    }
    const cookie = findCookie(headers, 'session', isSecure);
    if (cookie === undefined) return ANONYMOUS;
    const session = sessions.find(cookie, request.ip);
    return session && principalOf(session.user);
  }

  return {
    authenticate(request) {
      const principal = find(request);
      if (!principal) throw unauthenticated('the credentials are not valid');
      if (principal.kind === 'session') refuseCrossSite(request, publicOrigin);
      return principal;
    },
    identify(request) {
      const principal = find(request) ?? ANONYMOUS;
      return principal.kind === 'session' && isCrossSite(request, publicOrigin) ? ANONYMOUS : principal;
    },
  };
}
