// The files of a site that are no pages: the theme's own, feeds, sitemap, robots.txt, llms.txt, redirects and the search.

import type { Redirect } from '../build.ts';
import type { MakeParts } from './make-parts.ts';
import { feedPath, makeFeed } from './pages/feed.ts';
import type { Renderer } from './pages/renderer.ts';
import { makeLlms, makeRobots } from './pages/robots.ts';
import { makeSitemaps } from './pages/sitemap.ts';
import type { SitePlan } from './plan/plan-pages.ts';
import type { SiteMap } from './plan/site-map.ts';

/** As Netlify, Cloudflare and the sync server read it. */
const REDIRECTS = '_redirects';

export interface OtherParts {
  site: SiteMap;
  plan: SitePlan;
  redirects: readonly Redirect[];
  renderer: Renderer;
}

export function putOtherFiles({ order, calls, theme, output }: MakeParts, parts: OtherParts): void {
  const { config, isPreview } = order;
  const { site, plan, redirects, renderer } = parts;
  const { absoluteUrl, siteName, siteUrl } = renderer;
  for (const { file, bytes } of theme.files) {
    if (output.has(file)) calls.log(`the page "${file}" takes the place of that file of the theme\n`);
    else output.put(file, bytes);
  }
  /** A file of the theme, or a page, takes the place of one that would be made. */
  const put = (file: string, text: string | undefined): void => {
    if (text !== undefined && !output.has(file)) output.put(file, text);
  };
  for (const { file, text } of makeSitemaps(plan, site, absoluteUrl)) put(file, text);
  for (const locale of site.locales) {
    const path = feedPath({ config, site }, locale);
    if (path !== undefined) put(path.slice(1), makeFeed({ config, site, siteName, absoluteUrl }, locale));
  }
  const sitemapUrl = siteUrl === '' ? undefined : absoluteUrl('/sitemap.xml');
  put('robots.txt', makeRobots(config, { isPreview, sitemapUrl }));
  put('llms.txt', makeLlms(config, site, { siteName, absoluteUrl }));
  if (order.writesRedirects && redirects.length > 0) {
    // The theme's own come first: the first one that fits is obeyed.
    const own = theme.files.find(({ file }) => file === REDIRECTS)?.bytes.toString() ?? '';
    const ours = redirects.map(({ from, to }) => `${from} ${to} 301\n`).join('');
    output.put(REDIRECTS, own === '' || own.endsWith('\n') ? own + ours : `${own}\n${ours}`);
  }
}
