// Who may call a route: the 401 and 403 of every request. What a principal is was decided before (access).
import type { Principal } from '../access/principal.ts';
import { lacksPermission, ServiceError } from '../lib/errors.ts';
import { unauthenticated } from './refusal.ts';
import type { Gate } from './route.ts';

/** `site` finds the request's site, or throws a ServiceError. @throws ServiceError 401 or 403. */
export function admit<Site>(
  allow: Gate<Site>,
  principal: Principal,
  params: Record<string, string>,
  site: () => Site,
): void {
  if (allow === 'public') return;
  if (allow === 'service') {
    if (principal.kind !== 'service') throw unauthenticated('the service token is needed');
    return;
  }
  if (allow === 'session') {
    if (principal.kind !== 'session') throw unauthenticated('a session is needed; sign in first');
    return;
  }
  if (principal.kind === 'service') throw unauthenticated('the service token does not open this');
  if (principal.kind === 'anonymous') {
    if (typeof allow === 'object' && admitsAnonymous(allow.anonymous, params, site)) return;
    throw unauthenticated();
  }
  const permission = typeof allow === 'object' ? allow.permission : allow;
  if (!principal.permissions.has(permission)) throw lacksPermission(principal, permission);
}

/**
 * Asks the request's site. If there is no such site, a stranger gets the 401 of a site that is not open to strangers: that
 * a site exists is not for them.
 */
function admitsAnonymous<Site>(
  ask: (site: Site, params: Record<string, string>) => boolean,
  params: Record<string, string>,
  site: () => Site,
): boolean {
  const asked = attempt(site);
  return asked !== undefined && ask(asked.site, params);
}

/** Undefined where the caller is refused; a site that is out of order is another matter. */
function attempt<Site>(find: () => Site): { site: Site } | undefined {
  try {
    return { site: find() };
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return undefined;
    throw error;
  }
}
