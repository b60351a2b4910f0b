// feed.xml (RSS 2.0): the newest documents of a locale, with their descriptions. Its date is that of the newest change
// in it, so that the same commit gives the same bytes on any day.
import type { SiteConfig } from '../../../config/site-config.ts';
import { newestFirst, type SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { toXmlText } from './xml.ts';

const FEED_LIMIT = 20;

export interface SiteFeedParts {
  config: SiteConfig;
  site: SiteMap;
  siteName: string;
  absoluteUrl(path: string): string;
}

/** Path of a locale's feed; undefined if it has none. */
export function feedPath({ config, site }: Pick<SiteFeedParts, 'config' | 'site'>, locale: string): string | undefined {
  if (config.build?.rss === false) return undefined;
  const isDefault = locale === site.locales[0];
  if (!isDefault && feedCollections({ config, site }).every((name) => site.paged(name, locale).length === 0))
    return undefined;
  return `${site.homeOf(locale)}feed.xml`;
}

/** Those that the configuration names, else all that have pages besides `pages`. */
function feedCollections({ config, site }: Pick<SiteFeedParts, 'config' | 'site'>): string[] {
  const { rss } = config.build ?? {};
  const named = typeof rss === 'object' ? rss.collections : undefined;
  const paged = site.addresses.collections;
  return named ? paged.filter((name) => named.includes(name)) : paged.filter((name) => name !== 'pages');
}

export function makeFeed(parts: SiteFeedParts, locale: string): string {
  const { config, site, siteName, absoluteUrl } = parts;
  const options = typeof config.build?.rss === 'object' ? config.build.rss : {};
  const items = feedCollections(parts)
    .flatMap((name) => site.paged(name, locale).slice(0, options.limit ?? FEED_LIMIT))
    .sort(newestFirst)
    .slice(0, options.limit ?? FEED_LIMIT);
  const title = options.title ?? siteName;
  const changedAt = Math.max(0, ...items.map(({ updatedAt }) => Date.parse(updatedAt)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${toXmlText(title)}</title>
<link>${toXmlText(absoluteUrl(site.homeOf(locale)))}</link>
<description>${toXmlText(options.description ?? title)}</description>
${locale === '' ? '' : `<language>${toXmlText(locale)}</language>\n`}<atom:link href="${toXmlText(absoluteUrl(feedPath(parts, locale)!))}" rel="self" type="application/rss+xml"/>
${items.length === 0 ? '' : `<lastBuildDate>${new Date(changedAt).toUTCString()}</lastBuildDate>\n`}${items.map((doc) => toItem(parts, doc)).join('')}</channel>
</rss>
`;
}

function toItem({ site, absoluteUrl }: SiteFeedParts, doc: SiteDocument): string {
  const address = toXmlText(absoluteUrl(site.pathOf(doc.id)!));
  const categories = doc.tags.map((tag) => `<category>${toXmlText(tag)}</category>\n`).join('');
  const description = doc.description === '' ? '' : `<description>${toXmlText(doc.description)}</description>\n`;
  return `<item>
<title>${toXmlText(doc.title)}</title>
<link>${address}</link>
<guid isPermaLink="false">${doc.id}</guid>
<pubDate>${new Date(doc.time).toUTCString()}</pubDate>
${description}${categories}</item>
`;
}
