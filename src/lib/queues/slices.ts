// Long work on the event loop in slices, so that requests do not wait for it.

/** Awaited between two steps: lets other work run if this slice is over. */
export type Breathe = () => Promise<void> | undefined;

const SLICE_MS = 3;

/** Resolves once the event loop has gone round, so that other work has run. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Runs all steps at once, for callers that have nothing else to do meanwhile; returns the result. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, letting other work run between steps. */
export async function runBreathing<T>(steps: Generator<unknown, T>, breathe: Breathe): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}

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

/** For work in many places at once: together they have one slice in each turn of the event loop. */
export function createSharedBreathe(sliceMs = SLICE_MS): Breathe {
  let startedAt = 0;
  let nextTurn: Promise<void> | undefined;
  return () => {
    if (nextTurn) return performance.now() - startedAt < sliceMs ? undefined : nextTurn;
    startedAt = performance.now();
    nextTurn = new Promise((resume) =>
      setImmediate(() => {
        nextTurn = undefined;
        resume();
      }),
    );
    return undefined;
  };
}
