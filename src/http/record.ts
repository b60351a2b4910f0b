// One log line and one count for every request. Never a path, query, header or body: they carry secrets; the route
// pattern, the principal's ids and the site say enough.
import type { Logger } from 'pino';
import type { Principal } from '../access/principal.ts';
import type { HttpMetrics } from './metrics.ts';

/** A request that has been answered (or given up by its client). */
export interface Served {
  method: string;
  /** The pattern, such as `/api/cms/{collection}`; `(none)` where no route matched. */
  route: string;
  status: number;
  durationMs: number;
  requestId: string;
  principal?: Principal | undefined;
  site?: string | undefined;
  /** The client went away before the answer was complete. */
  aborted?: boolean;
}

export type Record = (served: Served) => void;

export function createRecord(log: Logger, metrics: HttpMetrics): Record {
  return (served) => {
    metrics.observe(served.method, served.route, served.status, served.durationMs);
    const level = served.status >= 500 ? 'error' : 'info';
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        requestId: served.requestId,
        method: served.method,
        route: served.route,
        status: served.status,
        ms: Math.round(served.durationMs * 100) / 100,
        principal: served.principal?.kind ?? 'anonymous',
        user: served.principal?.userId ?? undefined,
        site: served.site,
        aborted: served.aborted === true ? true : undefined,
      },
      'request',
    );
  };
}
