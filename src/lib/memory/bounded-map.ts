// A map that forgets its oldest entries, so that what callers send cannot fill the memory. Who sets again what it got
// makes it a cache whose least recently used entries go first.
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** The entry is the newest one from now on. */
  set(key: K, value: V): void;
  /** True if there was an entry. */
  delete(key: K): boolean;
  clear(): void;
  /** Those set longest ago come first. */
  values(): MapIterator<V>;
  readonly size: number;
}

/** Keeps at most `max` entries; those set longest ago go first, but for the ones that `mayForget` holds on to. */
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
    has: (key) => map.has(key),
    set(key, value) {
      map.delete(key);
      if (map.size >= max) makeRoom();
      map.set(key, value);
    },
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
    values: () => map.values(),
    get size() {
      return map.size;
    },
  };
}
