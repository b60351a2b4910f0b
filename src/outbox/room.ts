// The room that a target has for more entries: its share of what may wait in all. A reader of the log that has filled it
// waits until a part of that is over.

export interface RoomParts {
  /** How much of what may wait in all waits for the target, from 0 for nothing to 1, and beyond. */
  fill(): number;
  /** How much may, from 0 to 1. */
  share(): number;
  /** Aborted when nothing is waited for any more. */
  signal: AbortSignal;
  /** Called when it is full, and again only if it was well below that in between. */
  onFull(): void;
}

export interface Room {
  isFull(): boolean;
  /** Resolves once there is room, or the signal is aborted. */
  until(): Promise<void>;
  isWaiting(): boolean;
  /** Some entry is over, the share is another one, or the signal is aborted. */
  wake(): void;
}

/** Of its share; then there is room again for a reader that waited for it. */
const ROOM = 0.9;
/** Of its share; a target that has been below that is reported again when it is full. */
const RELIEVED = 0.5;

export function createRoom({ fill, share, signal, onFull }: RoomParts): Room {
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
      while (fill() > share() * ROOM && !signal.aborted) await new Promise<void>((resolve) => (resume = resolve));
      isWaiting = false;
    },
    isWaiting: () => isWaiting,
    wake() {
      if (isReported && fill() < share() * RELIEVED) isReported = false;
      resume();
    },
  };
}
