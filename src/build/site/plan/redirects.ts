// Redirects from former addresses to present ones. A page that has taken an old address wins.
import type { Redirect } from '../../build.ts';
import type { FormerAddresses } from './former-addresses.ts';
import type { SiteMap } from './site-map.ts';

/** Newest first. */
export function planRedirects(
  { left }: Pick<FormerAddresses, 'left'>,
  site: Pick<SiteMap, 'byId' | 'pathOf'>,
  hasPage: (path: string) => boolean,
): Redirect[] {
  const redirects = new Map<string, string>();
  for (const { from, id } of left.toReversed()) {
    const to = site.byId(id)?.status === 'published' ? site.pathOf(id) : undefined;
    if (to === undefined || to === from || redirects.has(from) || hasPage(from)) continue;
    redirects.set(from, to);
  }
  return [...redirects].map(([from, to]) => ({ from, to }));
}
