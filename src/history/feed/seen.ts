// Where somebody goes on in the log who names a commit that they have seen, which may be another one by now: from where the
// log then and the log now part.
import { createSharedBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Following } from '../following.ts';
import type { LogIndex } from '../log-index.ts';
import type { Replays } from '../replays.ts';
import { type BesideParts, createBeside, MAX_BESIDE } from './beside.ts';

export interface SeenParts extends Omit<BesideParts, 'breathe'> {
  replays: Replays;
}

/** How many commits of the log somebody has seen who has seen this one; undefined if nobody can say. */
export type SeenWith = (commit: Oid) => Promise<number | undefined>;

/** Further back nothing is looked for. */
const MAX_STEPS_BACK = 100_000;

/**
 * `dropped`: also for a commit of a line that somebody force-pushed away. Who keeps a copy of the documents by what the log
 * says does not want that: nobody would tell them what was dropped. They go on from commits only that were merged.
 */
export function createSeenWith(parts: SeenParts, { dropped = false } = {}): SeenWith {
  const { odb, index, replays, following } = parts;
  const breathe = createSharedBreathe();
  const beside = createBeside({ ...parts, breathe });
  const maxBeside = dropped ? MAX_STEPS_BACK : MAX_BESIDE;

  async function look(from: Oid): Promise<number | undefined> {
    let commit: Oid | null = from;
    /** Those that are beside the line, newest first. */
    let [newestBeside, countBeside]: [Oid | undefined, number] = [undefined, 0];
    for (let steps = 0; commit !== null && steps < MAX_STEPS_BACK; steps++) {
      if (index.positionOf(commit) >= 0) break;
      const replay = replays.find(commit);
      if (!replay && (!isCommit(commit) || ++countBeside > maxBeside)) return undefined;
      if (!replay) newestBeside ??= commit;
      commit = replay ? replay.base : (following.record(commit).parents[0] ?? null);
      await breathe();
    }
    const position = commit === null ? -1 : index.positionOf(commit);
    if (commit !== null && position < 0) return undefined;
    return newestBeside === undefined || dropped ? position + 1 : beside.seenWith(newestBeside, position);
  }

  /** Anybody may name the id of a file. */
  function isCommit(id: Oid): boolean {
    return following.hasRecord(id) && (odb.measure(id)?.type ?? 'commit') === 'commit';
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
export interface FeedReader {
  /** The position that is read next. */
  next: number;
  /** Resolves when the log has grown, or `wake` is called. */
  untilGrown(): Promise<void>;
  wake(): void;
  stop(): void;
}

/** Made before it is known where to begin, so that no cut is missed; then `next` is lowered to that. */
export function createReader(following: Pick<Following, 'follow'>): FeedReader {
  let wake: () => void = () => undefined;
  const reader: FeedReader = {
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
