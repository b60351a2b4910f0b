// Every route of this folder.
import type { Route } from '../http/route.ts';
import type { Access } from './access.ts';
import { codeRoutes } from './codes/routes.ts';
import { mailedLinkRoutes } from './links/routes.ts';
import { openIdRoutes } from './oidc/routes.ts';
import type { LinkBaseOf, RequestOf } from './routes-signed-in.ts';
import { authRoutes } from './sessions/routes-auth.ts';
import { sessionRoutes } from './sessions/routes-sessions.ts';
import { siteRoutes } from './sites/routes-sites.ts';
import type { SiteEntry } from './sites/sites.ts';
import { tokenRoutes } from './tokens/routes-tokens.ts';
import { profileRoutes } from './users/routes-profile.ts';
import { userRoutes } from './users/routes-users.ts';

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
    ...mailedLinkRoutes(access, ports),
    ...codeRoutes(access, ports.requestOf),
    ...openIdRoutes(access, ports),
    ...siteRoutes(access, ports.siteOpened),
  ];
}
