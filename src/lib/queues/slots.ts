// Runs a limited number at once: the rest wait in a line, first come, first served.

export interface SlotLimits {
  /** How many run at once. */
  atOnce: number;
  /** How many may wait; any number if absent. */
  waiting?: number;
  /** How long one waits at most, in milliseconds; forever if absent. */
  waitMs?: number;
  /** Makes the error for a caller if too many wait already, or if it has waited too long. */
  full?: () => Error;
}

export interface Slots {
  /**
   * Resolves with the function that gives the slot back; a second call of it does nothing. @throws the error of `full`
   */
  reserve(): Promise<() => void>;
  /** Runs the work once it has a slot. @throws the error of `full`, or the work's own error */
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

  async function reserve(): Promise<() => void> {
    if (running < atOnce) return enter();
    if (line.size >= waiting) throw full();
    return wait();
  }

  return {
    reserve,
    async run(work) {
      const leave = await reserve();
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
