// Time that passes only while a test waits: timers fire in order as soon as nothing else runs, so that the outcome
// depends on no clock and costs no waiting. For code that runs on memory alone.

import { nextTurn } from '../../src/lib/queues/slices.ts';

export interface StoppedTime extends Disposable {
  /** Lets time pass until the promise is settled. */
  until<T>(promise: Promise<T>): Promise<T>;
}

/** Turns of the event loop after which only a timer can be what the test waits for. */
const IDLE_TURNS = 25;
const GIVE_UP_MS = 3_600_000;

export function stopTime(): StoppedTime {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval };
  const timers = new Map<object, { dueMs: number; order: number; run: () => void; everyMs?: number }>();
  let nowMs = 1000;
  let order = 0;

  function add(run: (...args: unknown[]) => void, ms: number, args: unknown[], everyMs?: number): object {
    const timer = { unref: () => timer, ref: () => timer, hasRef: () => true };
    timers.set(timer, {
      dueMs: nowMs + Math.max(0, ms || 0),
      order: order++,
      run: () => run(...args),
      ...(everyMs === undefined ? {} : { everyMs }),
    });
    return timer;
  }

  function fireNext(): boolean {
    let next: [object, { dueMs: number; order: number; run: () => void; everyMs?: number }] | undefined;
    for (const entry of timers) {
      const [, { dueMs, order: place }] = entry;
      if (!next || dueMs < next[1].dueMs || (dueMs === next[1].dueMs && place < next[1].order)) next = entry;
    }
    if (!next) return false;
    const [timer, due] = next;
    nowMs = Math.max(nowMs, due.dueMs);
    if (due.everyMs === undefined) timers.delete(timer);
    else due.dueMs = nowMs + due.everyMs;
    due.run();
    return true;
  }

  const replacement = {
    setTimeout: (run: () => void, ms: number, ...args: unknown[]) => add(run, ms, args),
    setInterval: (run: () => void, ms: number, ...args: unknown[]) => add(run, ms, args, ms),
    clearTimeout: (timer: object) => void timers.delete(timer),
    clearInterval: (timer: object) => void timers.delete(timer),
  };
  Object.assign(globalThis, replacement);
  Object.defineProperty(performance, 'now', { value: () => nowMs, configurable: true });

  return {
    async until(promise) {
      let isSettled = false;
      const settle = (): void => void (isSettled = true);
      promise.then(settle, settle);
      for (let turns = 1; !isSettled; turns++) {
        await nextTurn();
        if (isSettled || turns % IDLE_TURNS) continue;
        if (!fireNext() || nowMs > GIVE_UP_MS) throw new Error('waits for something that does not come');
      }
      return promise;
    },
    [Symbol.dispose]() {
      Object.assign(globalThis, real);
      Reflect.deleteProperty(performance, 'now');
    },
  };
}
