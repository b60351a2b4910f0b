// So many at a time: later ones wait in a line, first come first served.

export interface SlotLimits {
  /** How many run at once. */
  atOnce: number;
  /** How many may wait; without a number any. */
  waiting?: number;
  /** How long one waits at most, in milliseconds; without a number for ever. */
  waitMs?: number;
  /** The refusal for one that would wait behind too many, or has waited too long. */
  full?: () => Error;
}

export interface Slots {
  /** Resolves with the function that gives the place back; a second call of it does nothing. @throws what `full` makes */
  take(): Promise<() => void>;
  /** Runs the work once it has a place. @throws what `full` makes, or the work's own error */
  run<R>(work: () => Promise<R>): Promise<R>;
}

export function createSlots({ atOnce, waiting = Number.POSITIVE_INFINITY, waitMs, full = tooMany }: SlotLimits): Slots {
  const line = new Set<() => void>();
  let running = 0;

  function enter(): () => void {
    let isGiven = false;
    running++;
    return () => {
      if (isGiven) return;
      isGiven = true;
      running--;
      const [next] = line;
      next?.();
    };
  }

  function wait(): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const next = (): void => {
        clearTimeout(timer);
        line.delete(next);
        resolve(enter());
      };
      const giveUp = (): void => {
        line.delete(next);
        reject(full());
      };
      if (waitMs !== undefined) timer = setTimeout(giveUp, waitMs);
      line.add(next);
    });
  }

  async function take(): Promise<() => void> {
    if (running < atOnce) return enter();
    if (line.size >= waiting) throw full();
    return wait();
  }

  return {
    take,
    async run(work) {
      const leave = await take();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function tooMany(): Error {
  return new Error('too many at once');
}
