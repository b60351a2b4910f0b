// Keeps a text index up to date without holding up writers: what changed is only noted, and indexed while nobody waits,
// or before the next query, which therefore finds every write that was answered.
import type { Found, IndexQuery, SearchEntry, TextIndex } from './text-index.ts';

export interface LazyIndex {
  /** The entry behind the key has changed or gone. */
  touch(key: string): void;
  /** Entries that have never been indexed: all of them are left for quiet times or the next query. */
  fill(keys: Iterable<string>): void;
  /** Finds what was touched before the call, too. */
  query(query: IndexQuery): Promise<Found>;
  /** Brings everything up to date, in turns of the event loop. */
  settle(): Promise<void>;
  /** Runs `then` at a moment when everything is up to date. */
  settled<T>(then: () => T): Promise<T>;
  close(): void;
}

/** Above this many, each change indexes an older one: a query never has more to catch up with. */
const MAX_WAITING = 1024;
/** Nobody wrote for this long: time to catch up. Longer than the pauses between batches of a busy log on a large tree. */
const QUIET_MS = 250;
const SLICE_MS = 2;

/** `read` answers the entry as it is now, or undefined where it is gone. */
export function createLazyIndex(index: TextIndex, read: (key: string) => SearchEntry | undefined): LazyIndex {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let touchedAt = 0;
  let closed = false;

  function bringIn(key: string): void {
    waiting.delete(key);
    const entry = read(key);
    if (entry) index.put(entry);
    else index.remove(key);
  }

  /** One slice; true where something is left. */
  function work(): boolean {
    const until = performance.now() + SLICE_MS;
    for (const key of waiting) {
      bringIn(key);
      if (performance.now() > until) break;
    }
    return waiting.size > 0;
  }

  /** Works slice by slice while it is quiet; a write sets it back to waiting. */
  function run(): void {
    if (closed || waiting.size === 0) return;
    if (performance.now() - touchedAt < QUIET_MS) {
      timer = setTimeout(run, QUIET_MS).unref();
      return;
    }
    timer = undefined;
    if (work()) setImmediate(run);
  }

  async function settled<T>(then: () => T): Promise<T> {
    while (work()) await new Promise((resume) => setImmediate(resume));
    return then();
  }

  return {
    touch(key) {
      waiting.add(key);
      if (waiting.size > MAX_WAITING) bringIn(waiting.values().next().value as string);
      touchedAt = performance.now();
      timer ??= setTimeout(run, QUIET_MS).unref();
    },
    fill(keys) {
      for (const key of keys) waiting.add(key);
      setImmediate(run);
    },
    async query(query) {
      return settled(() => index.query(query));
    },
    settle: () => settled(() => undefined),
    settled,
    close() {
      closed = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
