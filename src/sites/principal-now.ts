// Who the caller of a long answer is by now: the session may have ended, or the token been revoked, while it is sent.
import type { Access } from '../access/access.ts';
import type { Permission, Principal } from '../access/principal.ts';
import type { Env } from '../config/env.ts';
import { toHttpRequest } from '../http/request.ts';
import type { Call } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ServedSites } from './served-sites.ts';

export interface PrincipalNowParts {
  env: Pick<Env, 'trustProxy'>;
  access: Pick<Access, 'authenticate'>;
  sites: Pick<ServedSites, 'list'>;
}

interface RunningCall {
  ctx: Call<unknown, unknown, unknown>['ctx'];
  site: { closing: AbortSignal };
}

/** Whether the caller still has the permission, and the site. */
export function createIsStillAllowed(parts: PrincipalNowParts, permission: Permission): (call: RunningCall) => boolean {
  const principalNow = createPrincipalNow(parts);
  return (call) => principalNow(call)?.permissions.has(permission) === true;
}

/** Undefined if the credentials, or the right to the site, have gone. */
export function createPrincipalNow({
  env,
  access,
  sites,
}: PrincipalNowParts): (call: RunningCall) => Principal | undefined {
  return ({ ctx, site }) => {
    const asked = sites.list().find((one) => one.closing === site.closing);
    try {
      const principal = access.authenticate(toHttpRequest(ctx.req, env.trustProxy));
      return asked && principal.mayTouch(asked) ? principal : undefined;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  };
}
