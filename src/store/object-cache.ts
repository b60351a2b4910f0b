// Objects that what is read next is likely to be a delta of. Who walks a history comes back to them at once; later they
// would only be memory that a site of many documents could do without.
import type { GitObject } from './objects.ts';

export interface ObjectCache {
  get(key: string): GitObject | undefined;
  /** Those kept longest make place; a quarter of all the place for one object is too much, and it is not kept. */
  put(key: string, object: GitObject): void;
  clear(): void;
}

/** Everything is dropped when nothing was asked for or put in for `idleMs`, at the latest after twice that. */
export function createObjectCache({ maxBytes, idleMs }: { maxBytes: number; idleMs: number }): ObjectCache {
  const objects = new Map<string, GitObject>();
  let bytes = 0;
  let isInUse = false;
  let timer: NodeJS.Timeout | undefined;

  function clear(): void {
    clearInterval(timer);
    timer = undefined;
    objects.clear();
    bytes = 0;
  }

  function clearIfIdle(): void {
    if (!isInUse) clear();
    isInUse = false;
  }

  return {
    get(key) {
      const object = objects.get(key);
      if (object) isInUse = true;
      return object;
    },
    put(key, object) {
      if (object.body.length > maxBytes / 4) return;
      isInUse = true;
      timer ??= setInterval(clearIfIdle, idleMs).unref();
      bytes += object.body.length - (objects.get(key)?.body.length ?? 0);
      objects.set(key, object);
      for (const [oldest, { body }] of objects) {
        if (bytes <= maxBytes) break;
        objects.delete(oldest);
        bytes -= body.length;
      }
    },
    clear,
  };
}
