// robots.txt as the configuration wants it, and llms.txt, a table of contents for programs that read for people.
import type { SiteConfig } from '../../../config/site-config.ts';
import type { SiteMap } from '../plan/site-map.ts';
import { labelOf } from './page-drop.ts';

/** Crawlers that collect texts to train models, by the names that their makers document. */
const TRAINING_CRAWLERS = [
  'AI2Bot',
  'Amazonbot',
  'anthropic-ai',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'cohere-training-data-crawler',
  'Diffbot',
  'FacebookBot',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
  'Omgilibot',
  'PanguBot',
  'Timpibot',
  'Webzio-Extended',
];

/** Undefined if the site has no robots.txt. A preview lets nobody in. */
export function makeRobots(
  { build }: Pick<SiteConfig, 'build'>,
  { isPreview, sitemapUrl }: { isPreview: boolean; sitemapUrl: string | undefined },
): string | undefined {
  const nobody = 'User-agent: *\nDisallow: /\n';
  if (isPreview) return nobody;
  const { robots = true } = build ?? {};
  const sitemap = sitemapUrl === undefined ? '' : `\nSitemap: ${sitemapUrl}\n`;
  const everybody = `User-agent: *\nAllow: /\n${sitemap}`;
  switch (robots) {
    case false:
      return undefined;
    case true:
    case 'maximum':
      return everybody;
    case 'balanced':
      return `${TRAINING_CRAWLERS.map((name) => `User-agent: ${name}\n`).join('')}Disallow: /\n\n${everybody}`;
    case 'restrictive':
      return nobody;
    default:
      return robots.endsWith('\n') ? robots : `${robots}\n`;
  }
}

/** In each collection. */
const MOST_LISTED = 100;

export function makeLlms(
  config: SiteConfig,
  site: SiteMap,
  { siteName, absoluteUrl }: { siteName: string; absoluteUrl(path: string): string },
): string {
  const locale = site.locales[0]!;
  const sections = site.addresses.collections.flatMap((name) => {
    const docs = site.paged(name, locale);
    if (docs.length === 0) return [];
    const lines = docs.slice(0, MOST_LISTED).map(({ id, title, description }) => {
      const link = `- [${toPlain(title)}](${absoluteUrl(site.pathOf(id)!)})`;
      return description === '' ? `${link}\n` : `${link}: ${toPlain(description)}\n`;
    });
    const more =
      docs.length > MOST_LISTED ? `- and ${docs.length - MOST_LISTED} more: ${absoluteUrl('/sitemap.xml')}\n` : '';
    return `\n## ${toPlain(labelOf(config, name))}\n\n${lines.join('')}${more}`;
  });
  return `# ${toPlain(siteName)}\n${sections.join('')}`;
}

/** On one line, and without the brackets of a link. */
function toPlain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\[\]]/g, '\\$&');
}
