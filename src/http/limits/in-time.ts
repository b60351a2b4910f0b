// Limits how long a request that writes waits for the disk. While the disk does not answer, the service refuses new
// writes and answers those in progress that their outcome is unknown. Their handlers go on, and their writes count if
// the disk comes back.
import type { Route } from '../route.ts';

interface InTimeWatch {
  inTime<T>(run: () => Promise<T>): Promise<T>;
}

/** Reads, including clones (a POST too), have no limit. */
export function inTime<Site>(watch: InTimeWatch, routes: readonly Route<Site>[]): Route<Site>[] {
  return routes.map((route) => {
    if (route.method === 'get' || route.path.endsWith('/git-upload-pack')) return route;
    return { ...route, handle: (call) => watch.inTime(async () => route.handle(call)) };
  });
}
