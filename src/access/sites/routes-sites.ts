// The registry of sites.
import { type Route, route } from '../../http/route.ts';
import { forbidden } from '../../lib/errors.ts';
import type { Access } from '../access.ts';
import { toAuditActor } from '../actor.ts';
import { NewSiteBody } from '../input.ts';
import { need } from '../refusals.ts';
import { answer } from '../routes-signed-in.ts';
import { SiteListShape, SiteShape } from '../shapes.ts';
import type { SiteEntry } from './sites.ts';

/** Calls `opened` once a new site is in the registry, so that it is served without a restart. */
export function siteRoutes(access: Access, opened: (site: SiteEntry) => Promise<void>): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/sites',
      summary: 'List the sites',
      tag: 'Sites',
      allow: 'sites:read',
      site: false,
      answers: { 200: { description: 'The sites that the caller has access to', schema: SiteListShape } },
      handle({ principal }) {
        const sites = access.sites.list().filter((site) => principal.mayTouch(site));
        return answer({ sites, total: sites.length });
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/sites',
      summary: 'Add a site',
      tag: 'Sites',
      // The service runs the configuration as code: a stolen token must not be enough.
      allow: 'session',
      site: false,
      body: NewSiteBody,
      answers: {
        200: { description: 'The site', schema: SiteShape },
        400: { description: 'There is no valid configuration at that path below `CMS_SITES_DIR`' },
        409: { description: 'The id or a host is taken' },
      },
      async handle(call) {
        need(call.principal, 'sites:write');
        if (!call.principal.allSites) throw forbidden('only users with access to every site may add one');
        const site = await access.addSite(await call.body(), toAuditActor(call.principal));
        access.logger.info({ userId: call.principal.userId, site: site.id }, 'a site was added');
        await opened(site);
        return answer(site);
      },
    }),
  ];
}
