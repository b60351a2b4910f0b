// Where somebody goes on in the log who names a commit that they have seen, which may be another one by now: from where the
// log then and the log now part.
import { createBreathe } from '../lib/slices.ts';
import type { Oid } from '../store/objects.ts';
import type { Following } from './follow.ts';
import type { LogIndex } from './log-index.ts';
import type { Replays } from './replays.ts';

export interface SeenParts {
  index: LogIndex;
  replays: Replays;
  following: Pick<Following, 'record' | 'hasRecord'>;
}

/** How many commits of the log somebody has seen who has seen this one; undefined if nobody can say. */
export type SeenWith = (commit: Oid) => Promise<number | undefined>;

/** Further back nothing is looked for. */
const MAX_STEPS_BACK = 100_000;

/**
 * `dropped`: also for a commit of a line that somebody force-pushed away. Who keeps a copy of the documents by what the log
 * says does not want that: nobody would tell them what was dropped.
 */
export function createSeenWith({ index, replays, following }: SeenParts, { dropped = false } = {}): SeenWith {
  async function look(from: Oid): Promise<number | undefined> {
    const breathe = createBreathe();
    let commit: Oid | null = from;
    for (let steps = 0; commit !== null && steps < MAX_STEPS_BACK; steps++) {
      const position = index.positionOf(commit);
      if (position >= 0) return position + 1;
      const replay = replays.find(commit);
      if (!replay && !(dropped && following.hasRecord(commit))) return undefined;
      commit = replay ? replay.base : (following.record(commit).parents[0] ?? null);
      await breathe();
    }
    return commit === null ? 0 : undefined;
  }

  return async (commit) => {
    for (;;) {
      const { cuts } = index;
      const seen = await look(commit);
      // Positions of a log that was cut meanwhile are those of other commits.
      if (index.cuts === cuts) return seen;
    }
  };
}

/**
 * The commit at a position and some below it, ever further apart, down to the first: whatever becomes of the newest ones,
 * the log still has one of these unless it is another log.
 */
export function cursorAt(index: LogIndex, position: number): Oid[] {
  const cursor = [index.commitAt(position)];
  for (let distance = 1; distance < position; distance *= 2) cursor.push(index.commitAt(position - distance));
  if (position > 0) cursor.push(index.commitAt(0));
  return cursor;
}

/** A place in the log that goes along when the log is cut. */
export interface Reader {
  /** The position that is read next. */
  next: number;
  /** Resolves when the log has grown, or `wake` is called. */
  untilGrown(): Promise<void>;
  wake(): void;
  stop(): void;
}

/** Made before it is known where to begin, so that no cut is missed; then `next` is lowered to that. */
export function createReader(following: Pick<Following, 'follow'>): Reader {
  let wake: () => void = () => undefined;
  const reader: Reader = {
    next: Number.POSITIVE_INFINITY,
    untilGrown: () => new Promise<void>((resolve) => (wake = resolve)),
    wake: () => wake(),
    stop: following.follow({
      grown: () => wake(),
      cut: (size) => (reader.next = Math.min(reader.next, size)),
    }),
  };
  return reader;
}
