// Who may call a route: the 401 and 403 of every request. What a principal is was decided before (access).
import type { Principal } from '../access/principal.ts';
import { forbidden, ServiceError } from '../lib/errors.ts';
import { unauthenticated } from './refusal.ts';
import type { Gate } from './route.ts';

/** Where the request's site comes from: the one it names, or the one that stands for none. Both throw ServiceErrors. */
export interface SiteChoice<Site> {
  asked(): Site;
  standard(): Site;
}

/** @throws ServiceError 401 or 403. */
export function admit<Site>(
  allow: Gate<Site>,
  principal: Principal,
  params: Record<string, string>,
  site: SiteChoice<Site>,
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
  if (!principal.permissions.has(permission)) {
    throw forbidden(principal.heldBack ?? `the permission ${permission} is needed`);
  }
}

/**
 * Asks the request's site. Where there is no such site, whoever may read without credentials is told so, and
 * everybody else gets the 401 they would get for any site: that a site exists is not for strangers.
 */
function admitsAnonymous<Site>(
  ask: (site: Site, params: Record<string, string>) => boolean,
  params: Record<string, string>,
  site: SiteChoice<Site>,
): boolean {
  const asked = attempt(site.asked);
  if (!('refused' in asked)) return ask(asked.site, params);
  const standard = attempt(site.standard);
  if (!('refused' in standard) && ask(standard.site, params)) throw asked.refused;
  return false;
}

function attempt<Site>(find: () => Site): { site: Site } | { refused: ServiceError } {
  try {
    return { site: find() };
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return { refused: error };
    throw error;
  }
}
