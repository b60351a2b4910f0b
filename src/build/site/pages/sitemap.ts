// sitemap.xml (sitemaps.org), with the translations of each page; several files under an index if there are too many
// pages for one.
import type { PlannedPage, SitePlan } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import { toXmlText } from './xml.ts';

/** The format allows no more in a file. */
const MOST_ADDRESSES = 50_000;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function makeSitemaps(
  { pages }: SitePlan,
  site: SiteMap,
  absoluteUrl: (path: string) => string,
): { file: string; text: string }[] {
  const entries = pages
    .filter(({ kind }) => kind !== '404' && kind !== 'form')
    .map((page) => ({ path: page.path, text: toEntry(page, site, absoluteUrl) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ text }) => text);
  if (entries.length <= MOST_ADDRESSES) return [{ file: 'sitemap.xml', text: toFile(entries) }];
  const parts = Array.from({ length: Math.ceil(entries.length / MOST_ADDRESSES) }, (_, at) => ({
    file: `sitemap-${at + 1}.xml`,
    text: toFile(entries.slice(at * MOST_ADDRESSES, (at + 1) * MOST_ADDRESSES)),
  }));
  const index = parts.map(({ file }) => `<sitemap><loc>${toXmlText(absoluteUrl(`/${file}`))}</loc></sitemap>\n`);
  return [
    { file: 'sitemap.xml', text: `${HEAD}<sitemapindex xmlns="${SCHEMA}">\n${index.join('')}</sitemapindex>\n` },
    ...parts,
  ];
}

function toFile(entries: readonly string[]): string {
  return `${HEAD}<urlset xmlns="${SCHEMA}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join('')}</urlset>\n`;
}

function toEntry({ path, id }: PlannedPage, site: SiteMap, absoluteUrl: (path: string) => string): string {
  const doc = id === undefined ? undefined : site.byId(id);
  const links = (id === undefined ? [] : site.translationsOf(id)).flatMap(({ id: other, locale }) => {
    const url = site.pathOf(other);
    if (url === undefined || locale === undefined) return [];
    return `<xhtml:link rel="alternate" hreflang="${toXmlText(locale)}" href="${toXmlText(absoluteUrl(url))}"/>`;
  });
  const changed = doc ? `<lastmod>${doc.updatedAt}</lastmod>` : '';
  return `<url><loc>${toXmlText(absoluteUrl(path))}</loc>${changed}${links.length > 1 ? links.join('') : ''}</url>\n`;
}
