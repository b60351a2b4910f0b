// Whether the service is there: looked at once something seems lost, and then until it is back. The event stream breaks
// at each restart and comes back by itself, so a short break is no news.
import type { Signal } from '@preact/signals';

export interface ConnectionParts {
  isThere: Signal<boolean>;
  /** Resolves in any case. */
  look(): Promise<boolean>;
  onBack(): void;
  setTimer?: (act: () => void, delayMs: number) => unknown;
}

export interface Connection {
  /** A request got an answer, or none. */
  report(isAnswered: boolean): void;
  /** The stream is there. */
  confirm(): void;
  /** The stream broke. */
  suspect(): void;
}

const PATIENCE_MS = 4000;
const AGAIN_MS = 2500;

export function createConnection({ isThere, look, onBack, setTimer = setTimeout }: ConnectionParts): Connection {
  /** A look will follow. */
  let isDue = false;
  let isLooking = false;

  function setThere(next: boolean): void {
    if (isThere.value === next) return;
    isThere.value = next;
    if (next) onBack();
  }

  async function lookNow(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const isFound = await look();
    isLooking = false;
    setThere(isFound);
    if (!isFound) lookIn(AGAIN_MS);
  }

  function lookIn(delayMs: number): void {
    if (isDue) return;
    isDue = true;
    setTimer(() => {
      isDue = false;
      void lookNow();
    }, delayMs);
  }

  return {
    suspect: () => lookIn(PATIENCE_MS),
    confirm: () => setThere(true),
    // One answer may be that of a service that still starts, and one request may be blocked by an extension.
    report(isAnswered) {
      if (isAnswered !== isThere.value) void lookNow();
    },
  };
}
