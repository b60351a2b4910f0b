// Runs long pieces of work in turns of the event loop, one after another. A caller that needs their result waits for
// them or finishes them at once.

import { createBreathe, nextTurn } from '../../lib/queues/slices.ts';

/** Work that has run this long lets the event loop go round. */
const TURN_MS = 4;

/** Runs a piece of work to its end, a few milliseconds at a time. */
export async function runInTurns<T>(work: Iterator<void, T>): Promise<T> {
  const breathe = createBreathe(TURN_MS);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const pause = breathe();
    if (pause) await pause;
  }
}

export interface WorkQueue {
  add(work: Iterator<void, void>): void;
  isEmpty(): boolean;
  /** Resolves when all work added so far is done. */
  settled(): Promise<void>;
  /** Does everything now. */
  finish(): void;
}

export function createWorkQueue(): WorkQueue {
  const queue: Iterator<void, void>[] = [];
  let running: Promise<void> = Promise.resolve();

  async function run(work: Iterator<void, void>): Promise<void> {
    await nextTurn();
    // `finish` may have done it already.
    if (!queue.includes(work)) return;
    await runInTurns(work);
    const at = queue.indexOf(work);
    if (at !== -1) queue.splice(at, 1);
  }

  return {
    add(work) {
      queue.push(work);
      running = running.then(() => run(work));
    },
    isEmpty: () => queue.length === 0,
    settled: () => running,
    finish() {
      for (const work of queue.splice(0)) while (!work.next().done);
    },
  };
}
