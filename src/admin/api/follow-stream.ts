// Follows an event stream of its own, such as that of a log. A browser's stream cannot ask for a sign-in: a request does
// that when the stream is refused, and then it is opened once more.

export interface StreamParts {
  url: string;
  /** A request that needs the same session. */
  ask(): Promise<unknown>;
  /** Adds what listens. Called again for a stream that takes the place of a refused one. */
  begin(source: EventSource): void;
  onLost(): void;
}

/** Returns what ends it. */
export function followStream({ url, ask, begin, onLost }: StreamParts): () => void {
  let source: EventSource;
  let isOver = false;
  let hasAsked = false;

  function open(): void {
    source = new EventSource(url);
    source.addEventListener('open', () => (hasAsked = false));
    source.addEventListener('error', ({ target }: Event) => {
      // While it connects again, by itself and from where it was, nothing is wrong.
      if (isOver || (target as EventSource).readyState !== EventSource.CLOSED) return;
      if (hasAsked) return onLost();
      hasAsked = true;
      void ask().then(() => isOver || open(), onLost);
    });
    begin(source);
  }

  open();
  return () => {
    isOver = true;
    source.close();
  };
}
