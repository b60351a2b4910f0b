// Which site a request means (decisions.md, section 2). Pure: what it is told is all there is.
import { forbidden, invalid, notFound, ServiceError } from '../../lib/errors.ts';
import type { Principal, SiteRef } from '../principal.ts';

/** A site, and since when there is one if it was added later (ISO 8601). */
type Choice = SiteRef & { addedAt?: string };

export interface SiteChoices<S extends Choice> {
  all: readonly S[];
  /** The site that serves a host. */
  at(host: string): S | undefined;
  /** For strangers who name none. */
  standard: S | undefined;
}

export interface SiteAsked {
  /** The `site` of the query or the path. */
  named: string | string[] | undefined;
  /** The `Host` of the request. */
  host: string;
  /** True for routes that are open to everybody, such as `/uploads`. */
  isPublic: boolean;
}

/**
 * The site that a request names; else the session's last active one; else a token's only one; else the one that serves
 * this host; else the only one there is, or was when the token was made; else, for what strangers may ask, the default
 * one. @throws not_found for an unknown site, forbidden for one that the principal may not touch, site_required if there
 * are several. Never another.
 */
export function resolveSite<S extends Choice>(principal: Principal, asked: SiteAsked, choices: SiteChoices<S>): S {
  const { named, host, isPublic } = asked;
  if (Array.isArray(named)) throw invalid([{ path: 'site', message: 'must be given once' }]);
  if (named === '') throw invalid([{ path: 'site', message: 'must name a site' }]);
  const id = named ?? (principal.kind === 'session' ? principal.lastActiveSite : null);
  if (id !== null) {
    const site = choices.all.find((candidate) => candidate.id === id);
    if (!site) throw notFound(`site ${id}`);
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
  throw forbidden('there is no site that you may touch');
}

/** A token that was made for the only site goes on to mean it, whatever is added later. */
function findFirst<S extends Choice>({ madeAt }: Principal, covered: readonly S[]): S | undefined {
  if (madeAt === undefined) return undefined;
  const [first, ...others] = covered.filter(({ addedAt = '' }) => addedAt <= madeAt);
  return others.length === 0 ? first : undefined;
}

function touch<S extends SiteRef>(principal: Principal, site: S): S {
  if (!principal.mayTouch(site)) throw forbidden(`the site ${site.id} is not yours to touch`);
  return site;
}

/** The value of a map of hosts for a `Host` header: with its port, else without. Case and a final dot do not count. */
export function findHost<V>(hosts: ReadonlyMap<string, V>, header: string): V | undefined {
  if (hosts.size === 0) return undefined;
  const host = header.trim().toLowerCase();
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
  const plain = name.replace(/\.$/, '');
  return hosts.get(plain + port) ?? hosts.get(plain);
}
