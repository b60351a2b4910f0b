// Work with the same key runs one piece after the other; work with different keys runs concurrently.

/** A failure concerns only its own caller. A key uses no memory once its work is done. */
export type InOrderByKey = <R>(key: string, work: () => R | Promise<R>) => Promise<R>;

interface KeyQueue {
  /** Pieces of work that run or wait. */
  count: number;
  last: Promise<unknown>;
}

/**
 * With a `limit` at most `most` pieces of work of one key run or wait; further work is refused with the error of
 * `full`.
 */
export function createInOrderByKey(limit?: { most: number; full: () => Error }): InOrderByKey {
  const lines = new Map<string, KeyQueue>();
  return async (key, work) => {
    const line = lines.get(key) ?? { count: 0, last: Promise.resolve() };
    if (limit && line.count >= limit.most) throw limit.full();
    lines.set(key, line);
    line.count++;
    const done = line.last.then(work);
    line.last = done.catch(() => undefined); // the caller gets the error
    try {
      return await done;
    } finally {
      if (--line.count === 0) lines.delete(key);
    }
  };
}
