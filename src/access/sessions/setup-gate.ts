// Decides who may create the first admin: a client that has the set-up token or, if there is no token, a client on this
// machine. A service that other machines can reach always has a token.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { forbidden } from '../../lib/errors.ts';
import { isLoopbackHost } from '../../lib/loopback.ts';
import type { AccessRequest } from './origin.ts';

export interface SetupGate {
  /** The token, if it was generated here and has to be printed when the service starts. */
  madeToken: string | undefined;
  isTokenNeeded: boolean;
  /** 403 for a set-up that lacks the token, or that may come from another machine. */
  check(request: AccessRequest, token: unknown): void;
}

const TOKEN_BYTES = 16;

/**
 * `token` is CMS_SETUP_TOKEN. Without it a token is generated if the service is exposed (listens on more than loopback)
 * and has no users.
 */
export function createSetupGate(options: {
  token: string | undefined;
  isExposed: boolean;
  hasUsers: boolean;
}): SetupGate {
  const { isExposed } = options;
  const isMade = !options.token && isExposed && !options.hasUsers;
  const madeToken = isMade ? randomBytes(TOKEN_BYTES).toString('hex') : undefined;
  const wanted = options.token || madeToken;

  return {
    madeToken,
    isTokenNeeded: wanted !== undefined,
    check(request, token) {
      if (wanted !== undefined) {
        if (typeof token === 'string' && isSame(token, wanted)) return;
        if (token) {
          throw forbidden(
            'this is not the set-up token; the service printed it when it started, unless CMS_SETUP_TOKEN sets it',
          );
        }
        throw forbidden(
          'set-up needs `setupToken`: CMS_SETUP_TOKEN, or the token that the service printed when it started',
        );
      }
      if (isExposed || !isLocal(request)) {
        throw forbidden(
          'set-up is open only to this machine, as localhost; set CMS_SETUP_TOKEN to allow it from elsewhere',
        );
      }
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}

/**
 * A page of another site can make its own name resolve to this machine, but the browser sends that name as Host. A
 * request that a proxy forwards comes from another client.
 */
function isLocal({ host, headers }: AccessRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopbackHost(host) && isLoopbackHost(headers.host ?? '');
}
