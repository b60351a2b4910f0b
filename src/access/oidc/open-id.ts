// Sign-in through the OpenID provider: a cookie holds the state of the sign-in while the browser is at the provider and
// comes back with its answer. The cookie ties both ends to one browser, so that no link of another person can sign a
// user in.

import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { OidcEnv } from '../../config/oidc-env.ts';
import type { InfoLogger } from '../../data/info-logger.ts';
import { unauthenticated } from '../../lib/errors.ts';
import type { ElapsedMs } from '../../lib/time/elapsed.ts';
import { createSigned } from '../sessions/signed.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { toPerson } from './claims.ts';
import { toLandingPath } from './landing.ts';
import type { Provider, ProviderOptions } from './provider.ts';
import { createProviderSignIn } from './sign-in.ts';

export const CALLBACK_PATH = '/api/auth/oidc/callback';
/** Enough to type a password and find the phone. */
export const ERRAND_SECONDS = 10 * 60;

const ErrandClaims = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The path to go to afterwards. */
  next: z.string(),
  exp: z.int(),
});

export interface OpenId {
  /** The provider's name, as people see it. */
  name: string;
  /** Returns where to send the browser, and the value of the cookie that it needs when it comes back. */
  begin(next: string | undefined): Promise<{ url: string; cookie: string }>;
  /** Returns the user who came back, and where to go. 401 for another browser or an answer that is not valid. */
  finish(query: Record<string, string>, cookie: string | undefined): Promise<{ user: User; next: string }>;
}

/** Returns undefined if no provider is configured. */
export function createOpenId(options: {
  oidc: (OidcEnv & Pick<ProviderOptions, 'fetch'>) | undefined;
  publicUrl: string | undefined;
  key: KeyObject;
  users: Users;
  logger: InfoLogger;
  now: () => Date;
  elapsedMs: ElapsedMs;
}): OpenId | undefined {
  const { oidc, publicUrl, key, users, logger, now, elapsedMs } = options;
  if (!oidc || publicUrl === undefined) return undefined;
  let loaded: Promise<Provider> | undefined;
  const getProvider = (): Promise<Provider> => {
    const settings = { ...oidc, redirectUri: `${publicUrl}${CALLBACK_PATH}`, elapsedMs, logger };
    loaded ??= import('./provider.ts').then(({ createProvider }) => createProvider(settings));
    return loaded;
  };
  const signIn = createProviderSignIn({ users, hasRoles: oidc.roles.length > 0, logger });
  const signed = createSigned(key, ErrandClaims);

  return {
    name: oidc.name,

    async begin(next) {
      const { url, errand } = await (await getProvider()).begin();
      const exp = Math.floor(now().getTime() / 1000) + ERRAND_SECONDS;
      return { url, cookie: signed.sign({ ...errand, next: toLandingPath(next), exp }) };
    },

    async finish(query, cookie) {
      const errand = cookie === undefined ? undefined : signed.read(cookie);
      if (!errand || errand.exp * 1000 <= now().getTime() || !isSame(query.state ?? '', errand.state)) {
        throw unauthenticated('this browser did not begin the sign-in, or began it too long ago; start again');
      }
      const claims = await (await getProvider()).finish(new URLSearchParams(query), errand);
      const user = await signIn.login(toPerson(claims, oidc.roles, oidc.rolesClaim));
      return { user, next: errand.next };
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
