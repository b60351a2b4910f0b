// Requests that write wait for the disk, but not forever: while it does not answer, new writes are refused and those in
// progress are answered that their outcome is unknown. Their handlers go on, and what they wrote counts when the disk
// is back.
import type { Route } from '../route.ts';

interface InTimeWatch {
  inTime<T>(run: () => Promise<T>): Promise<T>;
}

/** Reads, including clones (a POST too), stay as they are. */
export function inTime<Site>(watch: InTimeWatch, routes: readonly Route<Site>[]): Route<Site>[] {
  return routes.map((route) => {
    if (route.method === 'get' || route.path.endsWith('/git-upload-pack')) return route;
    return { ...route, handle: (call) => watch.inTime(async () => route.handle(call)) };
  });
}
