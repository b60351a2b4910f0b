// What an opening has opened so far, so that a failure in the middle and the end of the service close the same things in
// the same order: the reverse of the opening, because whatever is opened later leans on what was there before.

export interface Closers {
  add(close: () => unknown): void;
  /** Closes one after another, once; after a failure it goes on, and rejects with the first error at the end. */
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
