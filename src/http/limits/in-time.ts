// Requests that write wait for the disk, but not for ever: while it does not answer they are refused, and those under way
// are told that their outcome is unknown. Their handlers go on, and what they wrote counts when the disk is back.
import type { Route } from '../route.ts';

interface DiskWatch {
  inTime<T>(run: () => Promise<T>): Promise<T>;
}

/** Reads, clones (a POST too) among them, are as they were. */
export function inTime<Site>(watch: DiskWatch, routes: readonly Route<Site>[]): Route<Site>[] {
  return routes.map((route) => {
    if (route.method === 'get' || route.path.endsWith('/git-upload-pack')) return route;
    return { ...route, handle: (call) => watch.inTime(async () => route.handle(call)) };
  });
}
