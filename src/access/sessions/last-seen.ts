// When and from where sessions and tokens were used last, roughly. Noted in memory on every request, and written behind:
// no request may cost a write. A crash loses the last few minutes.
import type { InfoLogger } from '../../data/info-logger.ts';

export interface LastSeenAt {
  atMs: number;
  address: string;
}

export interface LastSeen {
  /** Cheap enough for every request. */
  note(id: string, atMs: number, address: string): void;
  /** What was noted and need not be in the file yet. */
  find(id: string): LastSeenAt | undefined;
  /** Drops what is known of a thing that is no more. */
  forget(id: string): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

/** Uses within a minute of each other are one. */
const GRAIN_MS = 60_000;
const WRITE_AFTER_MS = 5 * 60_000;

/** `write` brings what `find` gives into the file; one that fails is tried again with the next. */
export function createLastSeen({ write, logger }: { write(): Promise<void>; logger: InfoLogger }): LastSeen {
  const seen = new Map<string, LastSeenAt>();
  let isWritten = true;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (isWritten) return;
    isWritten = true;
    try {
      await write();
    } catch (error) {
      isWritten = false;
      logger.info({ err: error }, 'when sessions or tokens were used last could not be written');
    }
  }

  return {
    note(id, atMs, address) {
      const known = seen.get(id);
      if (known && Math.abs(atMs - known.atMs) < GRAIN_MS) return;
      seen.set(id, { atMs, address });
      isWritten = false;
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref();
    },
    find: (id) => seen.get(id),
    forget: (id) => void seen.delete(id),
    flush,
  };
}
