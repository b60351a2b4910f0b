// A map that forgets its oldest entries, so that what callers send cannot fill the memory. A caller that sets an entry
// again after each get makes it a cache whose least recently used entries go first.
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** Sets an entry and makes it the newest. */
  set(key: K, value: V): void;
  /** Returns true if there was an entry. */
  delete(key: K): boolean;
  clear(): void;
  /** Those set longest ago come first. */
  values(): MapIterator<V>;
  readonly size: number;
}

/** Keeps at most `max` entries; those set longest ago go first, unless `mayForget` keeps them. */
export function createBoundedMap<K, V>(max: number, mayForget: (value: V) => boolean = () => true): BoundedMap<K, V> {
  const map = new Map<K, V>();

  function makeSpace(): void {
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
      if (map.size >= max) makeSpace();
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
