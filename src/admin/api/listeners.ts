// Who hears of something: each listener until it has enough.

export interface Listeners<T> {
  /** Returns how one stops listening. */
  listen(listener: (value: T) => void): () => void;
  pass(value: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const all = new Set<(value: T) => void>();
  return {
    listen(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    pass(value) {
      for (const listener of all) listener(value);
    },
  };
}
