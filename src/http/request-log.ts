// One log line and one count for every request. Never a query, header or body, which carry secrets; logged-path.ts
// keeps secrets out of the path.
import type { Logger } from 'pino';
import type { Principal } from '../access/principal.ts';
import { toLoggedPath } from './logged-path.ts';
import type { HttpMetrics } from './metrics/metrics.ts';

/** A request that has been answered, or that its client gave up. */
export interface ServedRequest {
  method: string;
  /** The pattern, such as `/api/cms/{collection}`; `(none)` if no route matched. */
  route: string;
  /** The URL as requested; the process log gets only its path. */
  url: string;
  /** The client's address, unless the route keeps it out of the process log. */
  ip: string | undefined;
  status: number;
  durationMs: number;
  requestId: string;
  principal?: Principal | undefined;
  site?: string | undefined;
  /** The client went away before the answer was complete. */
  aborted?: boolean;
}

/** Writes the line and counts the request. */
export type RequestLog = (served: ServedRequest) => void;

export function createRequestLog(logger: Logger, metrics: HttpMetrics): RequestLog {
  return (served) => {
    metrics.observe(served.method, served.route, served.status, served.durationMs);
    const level = served.status >= 500 ? 'error' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        requestId: served.requestId,
        method: served.method,
        route: served.route,
        path: toLoggedPath(served.url, served.route),
        status: served.status,
        ms: Math.round(served.durationMs * 100) / 100,
        principal: served.principal?.kind ?? 'anonymous',
        user: served.principal?.userId ?? undefined,
        site: served.site,
        ip: served.ip,
        aborted: served.aborted === true ? true : undefined,
      },
      'request',
    );
  };
}
