// What a listener is called with, as an asynchronous source. Keeps the newest only: for news that a reader who is behind
// can do without.

/** Ends with the signal. `listen` returns the function that stops it; `most` values wait for a reader that is behind. */
export async function* fromCalls<T>(
  listen: (listener: (value: T) => void) => () => void,
  signal: AbortSignal,
  most = 100,
): AsyncGenerator<T> {
  const waiting: T[] = [];
  let wake = (): void => undefined;
  const stop = listen((value) => {
    waiting.push(value);
    if (waiting.length > most) waiting.shift();
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const value = waiting.shift();
      if (value !== undefined) yield value;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
    signal.removeEventListener('abort', onAbort);
  }
}
