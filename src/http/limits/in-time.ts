// Requests that write wait for the disk, but not forever: while it does not answer, new writes are refused and those in
// progress are answered that their outcome is unknown. Their handlers go on, and their writes count if the disk comes
// back.
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
