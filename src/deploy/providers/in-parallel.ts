// The same work for many items, a few at once. The first failure ends the work that is under way, and is thrown once
// all of it has stopped: nothing goes on behind the back of a deploy that has failed.

/** @throws the first error of the work, or the reason of the signal */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const iterator = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;

  async function run(): Promise<void> {
    while (!either.aborted) {
      const next = iterator.next();
      if (next.done) return;
      try {
        await work(next.value, either);
      } catch (error) {
        failure ??= { error };
        failed.abort(error);
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, run));
  signal.throwIfAborted();
  if (failure) throw failure.error;
}
