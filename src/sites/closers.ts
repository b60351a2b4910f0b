// What an opening has opened so far. A failed opening and the end of the service close the same things in the same
// order: the reverse of the opening, because what is opened later depends on what was opened before.

export interface Closers {
  add(close: () => unknown): void;
  /** Closes one after another, once; goes on after a failure, and rejects with the first error at the end. */
  close(): Promise<void>;
}

export function createClosers(): Closers {
  const opened: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    let failure: { error: unknown } | undefined;
    for (const close of opened.reverse()) {
      try {
        await close();
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  }

  return {
    add: (close) => void opened.push(close),
    close: () => (closing ??= closeAll()),
  };
}
