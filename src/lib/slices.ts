// Long work on the event loop in slices, so that nobody's request waits for it.

/** Awaited between two steps: lets others have their turn where this slice is over. */
export type Breathe = () => Promise<void> | undefined;

const SLICE_MS = 3;

export function createBreathe(sliceMs = SLICE_MS): Breathe {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < sliceMs) return undefined;
    return new Promise((resume) =>
      setImmediate(() => {
        startedAt = performance.now();
        resume();
      }),
    );
  };
}
