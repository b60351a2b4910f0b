// The capacity that a target has for waiting entries: its share of the capacity for all. If a target is full, its reader of the
// log waits until some of its entries are finished.

export interface CapacityParts {
  /** The part of all capacity that the target uses: 0 for nothing, 1 for all, or more. */
  fill(): number;
  /** The part that it may use, from 0 to 1. */
  share(): number;
  /** Aborting it ends the wait; call `wake` as well. */
  signal: AbortSignal;
  /** Called when the target is full, and again only if it was well below that in between. */
  onFull(): void;
}

export interface Capacity {
  isFull(): boolean;
  /** Resolves once there is space, or the signal is aborted. */
  until(): Promise<void>;
  isWaiting(): boolean;
  /** Call it when an entry is finished, the share changes or the signal is aborted. */
  wake(): void;
}

/** A waiting reader goes on when no more than this part of the share is used. */
const FREED = 0.9;
/** A target that has been below this part of its share is reported again when it is full. */
const RELIEVED = 0.5;

export function createCapacity({ fill, share, signal, onFull }: CapacityParts): Capacity {
  let resume: () => void = () => undefined;
  let isWaiting = false;
  let isReported = false;
  const isFull = (): boolean => fill() >= share();

  return {
    isFull,
    async until() {
      if (!isFull()) return;
      isWaiting = true;
      if (!isReported) onFull();
      isReported = true;
      while (fill() > share() * FREED && !signal.aborted) await new Promise<void>((resolve) => (resume = resolve));
      isWaiting = false;
    },
    isWaiting: () => isWaiting,
    wake() {
      if (isReported && fill() < share() * RELIEVED) isReported = false;
      resume();
    },
  };
}
