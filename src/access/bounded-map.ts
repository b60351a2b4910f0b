// A map that forgets its oldest entries, so that what callers send cannot fill the memory.
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  readonly size: number;
}

/** Keeps at most `max` entries; those written longest ago go first, but for the ones `mayForget` holds on to. */
export function createBoundedMap<K, V>(max: number, mayForget: (value: V) => boolean = () => true): BoundedMap<K, V> {
  const map = new Map<K, V>();

  function makeRoom(): void {
    for (const [key, value] of map) {
      if (map.size < max) return;
      if (mayForget(value)) map.delete(key);
    }
  }

  return {
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key);
      if (map.size >= max) makeRoom();
      map.set(key, value);
    },
    delete: (key) => void map.delete(key),
    get size() {
      return map.size;
    },
  };
}
