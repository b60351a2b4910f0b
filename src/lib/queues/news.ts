// Reports what happens to the listeners of the moment. It keeps nothing, and the reporter does not wait.

export interface News<T> {
  report(value: T): void;
  /** Returns the function that stops it. */
  listen(listener: (value: T) => void): () => void;
}

export function createNews<T>(): News<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    report(value) {
      for (const listener of listeners) listener(value);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
