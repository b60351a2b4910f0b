// A cache that empties when it has not been used for a while: what it keeps is worth its memory only while readers come
// back.

export interface IdleCache<T> {
  get(key: string): T | undefined;
  /** The oldest entries make space; an entry larger than a quarter of the limit is not kept. */
  put(key: string, entry: T): void;
  clear(): void;
}

/** Drops everything if no entry is read or added for `idleMs`, at the latest after twice that. */
export function createIdleCache<T extends { body: Buffer }>(limits: {
  maxBytes: number;
  idleMs: number;
}): IdleCache<T> {
  const { maxBytes, idleMs } = limits;
  const entries = new Map<string, T>();
  let bytes = 0;
  let isInUse = false;
  let timer: NodeJS.Timeout | undefined;

  function clear(): void {
    clearInterval(timer);
    timer = undefined;
    entries.clear();
    bytes = 0;
  }

  function clearIfIdle(): void {
    if (!isInUse) clear();
    isInUse = false;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) isInUse = true;
      return entry;
    },
    put(key, entry) {
      if (entry.body.length > maxBytes / 4) return;
      isInUse = true;
      timer ??= setInterval(clearIfIdle, idleMs).unref();
      bytes += entry.body.length - (entries.get(key)?.body.length ?? 0);
      entries.delete(key);
      entries.set(key, entry);
      for (const [oldest, { body }] of entries) {
        if (bytes <= maxBytes) break;
        entries.delete(oldest);
        bytes -= body.length;
      }
    },
    clear,
  };
}
