// A cache in memory of small bytes that are read again and again: never more than a fixed size; those unused longest go
// first.

export interface BoundedBytes {
  find(key: string): Buffer | undefined;
  /** Ignores bytes that are too large to be worth keeping. */
  keep(key: string, bytes: Buffer): void;
}

export function createBoundedBytes(limits: { eachBytes: number; allBytes: number }): BoundedBytes {
  const kept = new Map<string, Buffer>();
  let total = 0;

  function drop(key: string): void {
    total -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  }

  return {
    find(key) {
      const bytes = kept.get(key);
      if (!bytes) return undefined;
      kept.delete(key);
      kept.set(key, bytes);
      return bytes;
    },
    keep(key, bytes) {
      if (bytes.length > limits.eachBytes) return;
      drop(key);
      kept.set(key, bytes);
      total += bytes.length;
      for (const oldest of kept.keys()) {
        if (total <= limits.allBytes) break;
        drop(oldest);
      }
    },
  };
}
