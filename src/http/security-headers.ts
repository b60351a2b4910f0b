// The security headers of every answer, computed once by helmet: they do not depend on the request, and a hot path in
// front of koa must send the same ones. A route may override any of them in its answer (the admin's pages do).
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import helmet from 'koa-helmet';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** @param isHttps whether the public URL is https; only then may HSTS be promised. */
export function createSecurityHeaders(isHttps: boolean): HeaderList {
  const middleware = helmet({
    // An API answers data: nothing in it may run, frame or be framed.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // For obsolete browsers, or for pages: they would only make every answer longer.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
  });
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: unknown) => headers.push([name, String(value)]),
    removeHeader: () => {},
  };
  // Helmet's parts set their headers before the middleware returns; the promise only says that they are done.
  void middleware({ req: {}, res: recorder as unknown as ServerResponse } as unknown as Context, async () => {});
  if (headers.length === 0) throw new Error('helmet set no headers');
  return headers;
}
