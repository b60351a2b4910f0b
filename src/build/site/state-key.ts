// Everything besides documents and media that any page may depend on, as one hash: a build with another one makes all
// pages again.
import { hash } from 'node:crypto';
import { VERSION } from '../../version.ts';
import type { SiteTheme } from './pages/site-theme.ts';
import type { SiteBuildOrder } from './site-build.ts';

export function stateKey(order: SiteBuildOrder, theme: Pick<SiteTheme, 'names'>): string {
  const { config, drafts, isPreview, baseUrl, adminUrl, siteId } = order;
  const { collections, blocks, defaultLocale, locales, forms, build } = config;
  const { baseUrl: ownUrl, siteName, rss, robots, search, redirects } = build ?? {};
  const settings = {
    collections,
    blocks,
    defaultLocale,
    locales,
    forms,
    ownUrl,
    siteName,
    rss,
    robots,
    search,
    redirects,
  };
  // Dates and numbers are formatted, and pictures made, by the runtime.
  const { node, icu, cldr, unicode } = process.versions;
  const runtime = [VERSION, node, icu, cldr, unicode];
  const whole = JSON.stringify([runtime, siteId, settings, { drafts, isPreview, baseUrl, adminUrl }, theme.names]);
  return hash('sha256', whole);
}
