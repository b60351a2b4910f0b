// Which sites a CI's report is about. The notify secret is the whole service's, and a report names an app: clients of
// one site must not see another's. Pure.
import { notFound } from '../lib/errors.ts';
import type { SiteSettings } from '../settings/settings.ts';

interface ReportedSite {
  id: string;
  settings: { read(): SiteSettings };
}

const APP_KEYS = [
  'deployAppName',
  'vercelProject',
  'netlifySiteId',
  'cloudflareProjectName',
  'flyAppName',
] as const satisfies readonly (keyof SiteSettings)[];

/**
 * The site that the query names; else the only one; else those whose id or app is the one of the report. No site gets
 * a report that could be another's. @throws not_found for an unknown name
 */
export function sitesOfReport<S extends ReportedSite>(all: readonly S[], app: string, named: string | undefined): S[] {
  if (named !== undefined) {
    const site = all.find(({ id }) => id === named);
    if (!site) throw notFound(`site "${named}"`);
    return [site];
  }
  if (all.length === 1) return [...all];
  return all.filter(({ id, settings }) => {
    const current = settings.read();
    return app !== '' && (id === app || APP_KEYS.some((key) => current[key] === app));
  });
}
