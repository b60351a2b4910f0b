// Every route of this folder.
import type { Route } from '../http/route.ts';
import type { Access } from './access.ts';
import { codeRoutes } from './codes/routes.ts';
import { linkRoutes } from './links/routes.ts';
import { openIdRoutes } from './oidc/routes.ts';
import { authRoutes } from './routes-auth.ts';
import { profileRoutes } from './routes-profile.ts';
import { sessionRoutes } from './routes-sessions.ts';
import { siteRoutes } from './routes-sites.ts';
import { tokenRoutes } from './routes-tokens.ts';
import { userRoutes } from './routes-users.ts';
import type { LinkBaseOf, RequestOf } from './signed-in.ts';
import type { SiteEntry } from './sites.ts';

export function accessRoutes(
  access: Access,
  ports: {
    requestOf: RequestOf;
    siteOpened: (site: SiteEntry) => Promise<void>;
    linkBase: LinkBaseOf;
  },
): Route[] {
  return [
    ...authRoutes(access, ports.requestOf),
    ...profileRoutes(access, ports),
    ...sessionRoutes(access, ports.requestOf),
    ...tokenRoutes(access),
    ...userRoutes(access),
    ...linkRoutes(access, ports),
    ...codeRoutes(access, ports.requestOf),
    ...openIdRoutes(access, ports),
    ...siteRoutes(access, ports.siteOpened),
  ];
}
