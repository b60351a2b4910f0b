// Who may make the first admin: whoever has the set-up token or, without one, whoever is at this machine. A service that
// others reach is never without one.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { forbidden } from '../../lib/errors.ts';
import { isLoopbackHost } from '../../lib/loopback.ts';
import type { AccessRequest } from './origin.ts';

export interface SetupGate {
  /** The token, if it was made here and has to be shown to whoever starts the service. */
  madeToken: string | undefined;
  isTokenNeeded: boolean;
  /** 403 for a set-up that lacks the token, or that may come from another machine. */
  check(request: AccessRequest, token: unknown): void;
}

const TOKEN_BYTES = 16;

/**
 * `token` is CMS_SETUP_TOKEN. Without it one is made if the service is exposed, that is listens on more than loopback, and
 * has no users.
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
        throw forbidden('set-up needs `setupToken`: CMS_SETUP_TOKEN, or what the service printed when it started');
      }
      if (isExposed || !isLocal(request)) {
        throw forbidden(
          'set-up is open to this machine alone, as localhost; set CMS_SETUP_TOKEN to allow it elsewhere',
        );
      }
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}

/**
 * A page of another site can have its own name resolve to this machine, but the browser sends that name as Host. What a
 * proxy passes on comes from somebody else.
 */
function isLocal({ host, headers }: AccessRequest): boolean {
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isPassedOn && isLoopbackHost(host) && isLoopbackHost(headers.host ?? '');
}
