// Which site a request means (decisions.md, section 2). Pure.
import { forbidden, invalid, notFound, ServiceError } from '../../lib/errors.ts';
import type { Principal, SiteRef } from '../principal.ts';

/** A site; `addedAt` (ISO 8601) if it was added after the first start. */
type Choice = SiteRef & { addedAt?: string };

export interface SiteChoices<S extends Choice> {
  all: readonly S[];
  /** The site of a host. */
  at(host: string): S | undefined;
  /** The default site, for strangers who name none. */
  standard: S | undefined;
}

export interface SiteAsked {
  /** The `site` of the query or the path. */
  named: string | string[] | undefined;
  /** The `Host` of the request. */
  host: string;
  /** True for public routes, such as `/uploads`. */
  isPublic: boolean;
}

/**
 * Returns the site that the request names; else the session's last active site; else a token's only site; else the site
 * of the host; else the only site that the principal covers, or that the token covered when it was made; else, for
 * strangers and public routes, the default site. If the one found is out of the principal's reach, it never falls back
 * to the next. @throws not_found for an unknown site, forbidden for one out of reach, site_required if there are
 * several.
 */
export function resolveSite<S extends Choice>(principal: Principal, asked: SiteAsked, choices: SiteChoices<S>): S {
  const { named, host, isPublic } = asked;
  if (Array.isArray(named)) throw invalid([{ path: 'site', message: 'must be given once' }]);
  if (named === '') throw invalid([{ path: 'site', message: 'must name a site' }]);
  const id = named ?? (principal.kind === 'session' ? principal.lastActiveSite : null);
  if (id !== null) {
    const site = choices.all.find((candidate) => candidate.id === id);
    if (!site) throw notFound(`site "${id}"`);
    return touch(principal, site);
  }
  const covered = choices.all.filter((site) => principal.mayTouch(site));
  const [only] = covered;
  if (only && covered.length === 1 && (choices.all.length === 1 || principal.kind === 'token')) return only;
  const here = choices.at(host);
  if (here) return touch(principal, here);
  if (only && covered.length === 1) return only;
  const meant = findFirst(principal, covered);
  if (meant) return meant;
  const { standard } = choices;
  if (standard && (isPublic || principal.kind === 'anonymous') && principal.mayTouch(standard)) return standard;
  if (only) throw new ServiceError('site_required', 'name a site: there are several (?site=<id>)');
  throw forbidden('you have no access to any site');
}

/** A token that was made when it covered a single site keeps meaning that site, whatever is added later. */
function findFirst<S extends Choice>({ madeAt }: Principal, covered: readonly S[]): S | undefined {
  if (madeAt === undefined) return undefined;
  const [first, ...others] = covered.filter(({ addedAt = '' }) => addedAt <= madeAt);
  return others.length === 0 ? first : undefined;
}

function touch<S extends SiteRef>(principal: Principal, site: S): S {
  if (!principal.mayTouch(site)) throw forbidden(`you have no access to site "${site.id}"`);
  return site;
}

/** Looks up a `Host` header in a map by host: with its port, else without. Ignores case and a final dot. */
export function findHost<V>(hosts: ReadonlyMap<string, V>, header: string): V | undefined {
  if (hosts.size === 0) return undefined;
  const host = header.trim().toLowerCase();
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
  const plain = name.replace(/\.$/, '');
  return hosts.get(plain + port) ?? hosts.get(plain);
}
