// Several sources as one: what comes first is given first. A source that ends ends all of them, because a client that
// missed one kind of event must connect again.

export async function* merge<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const next = (at: number) => iterators[at]!.next().then((result) => ({ at, result }));
  const waiting = iterators.map((_, at) => next(at));
  try {
    for (;;) {
      const { at, result } = await Promise.race(waiting);
      if (result.done) return;
      yield result.value;
      waiting[at] = next(at);
    }
  } finally {
    // Those that still wait resolve when the signal of the stream aborts; nobody reads what they give.
    for (const one of waiting) one.catch(() => undefined);
    for (const iterator of iterators) void iterator.return?.(undefined);
  }
}
