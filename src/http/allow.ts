// Who may call a route: the 401 and 403 of every request. `access` has already decided who the principal is.
import type { Principal } from '../access/principal.ts';
import { lacksPermission, ServiceError, unauthenticated } from '../lib/errors.ts';
import type { Gate } from './route.ts';

/** `site` returns the request's site, or throws a ServiceError. @throws ServiceError 401 or 403. */
export function admit<Site>(
  allow: Gate<Site>,
  principal: Principal,
  params: Record<string, string>,
  site: () => Site,
): void {
  if (allow === 'public') return;
  if (allow === 'service') {
    if (principal.kind !== 'service') throw unauthenticated('the service token is required');
    return;
  }
  if (allow === 'session') {
    if (principal.kind !== 'session') throw unauthenticated('a session is required; sign in first');
    return;
  }
  if (allow === 'token') {
    if (principal.kind !== 'token') throw unauthenticated('an access token is required: Authorization: Bearer <token>');
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
 * Asks the request's site. If the site does not exist, a stranger gets the same 401 as from a site that is closed to
 * strangers, and so does not learn which sites exist.
 */
function admitsAnonymous<Site>(
  ask: (site: Site, params: Record<string, string>) => boolean,
  params: Record<string, string>,
  site: () => Site,
): boolean {
  const asked = attempt(site);
  return asked !== undefined && ask(asked.site, params);
}

/** Returns undefined if the caller is refused; the error of a broken site (5xx) passes through. */
function attempt<Site>(find: () => Site): { site: Site } | undefined {
  try {
    return { site: find() };
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return undefined;
    throw error;
  }
}
