// Which lists of collections are pages: in the default locale every one, in another those that have a document.
import type { SiteMap } from './site-map.ts';

export function isCollectionPage(site: SiteMap, collection: string, locale: string): boolean {
  return locale === site.locales[0] || site.paged(collection, locale).length > 0;
}
