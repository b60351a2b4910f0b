// Roughly when and from where sessions and tokens were last used. Every request notes it in memory, and it is written
// later: no request may cost a write. A crash loses the last few minutes.
import type { InfoLogger } from '../../data/info-logger.ts';

export interface LastSeenAt {
  atMs: number;
  address: string;
}

export interface LastSeen {
  /** Cheap enough for every request. */
  note(id: string, atMs: number, address: string): void;
  /** The last use that was noted, which may not be in the file yet. */
  find(id: string): LastSeenAt | undefined;
  /** Drops the note of a session or token that no longer exists. */
  forget(id: string): void;
  /** Writes the notes that are not in the file yet. */
  flush(): Promise<void>;
}

/** Uses within a minute of each other count as one. */
const GRAIN_MS = 60_000;
const WRITE_AFTER_MS = 5 * 60_000;

/** `write` puts the results of `find` into the file; if it fails, the next flush tries again. */
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
      logger.info({ err: error }, 'the last uses of sessions or tokens could not be written');
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
