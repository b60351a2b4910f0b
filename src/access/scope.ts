// Which sites a user and an access token cover. Pure. Evaluated on every request, so that a token loses a right at the
// moment its owner does.
import type { SiteRef } from './principal.ts';

/** One line of an access token's `resources`. `org` names organisations, `site` names sites. */
export interface Resource {
  scope: 'org' | 'site';
  effect: 'include' | 'exclude';
  targets: '*' | string[];
}

/** The sites of a user: all of them, or the ones named. */
export type SiteScope = '*' | string[];

function names(resource: Resource, site: SiteRef): boolean {
  return resource.targets === '*' || resource.targets.includes(resource.scope === 'org' ? site.org : site.id);
}

/**
 * True if `resources` cover the site: one `include` names it or its organisation (or there is no `include` at all) and
 * no `exclude` does. No resources cover everything.
 */
export function coversSite(resources: readonly Resource[], site: SiteRef): boolean {
  const includes = resources.filter((resource) => resource.effect === 'include');
  if (includes.length > 0 && !includes.some((resource) => names(resource, site))) return false;
  return !resources.some((resource) => resource.effect === 'exclude' && names(resource, site));
}

/** True if no site can be outside `resources`, whatever sites are added later. */
export function coversEverySite(resources: readonly Resource[]): boolean {
  const includes = resources.filter((resource) => resource.effect === 'include');
  if (resources.some((resource) => resource.effect === 'exclude' && resource.targets.length > 0)) return false;
  return includes.length === 0 || includes.some((resource) => resource.targets === '*');
}

export function countTargets(resources: readonly Resource[]): number {
  return resources.reduce((count, { targets }) => count + targets.length, 0);
}
