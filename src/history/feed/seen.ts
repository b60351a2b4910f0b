// Finds where a reader continues in the log, given a commit that it has seen. The commit may have been replayed; then
// the reader continues from where the old and the new log part.
import { createSharedBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Following } from '../following.ts';
import type { LogIndex } from '../log-index.ts';
import type { Replays } from '../replays.ts';
import { type BesideParts, createBeside, MAX_BESIDE } from './beside.ts';

export interface SeenParts extends Omit<BesideParts, 'breathe'> {
  replays: Replays;
}

/** How many commits of the log a reader of this commit has seen; undefined if it is not known. */
export type SeenWith = (commit: Oid) => Promise<number | undefined>;

/** The search ends after this many commits. */
const MAX_STEPS_BACK = 100_000;

/**
 * `dropped`: also accepts a commit of a line that a force-push dropped. That is wrong for a client that keeps a copy of
 * the documents, because the log does not report what was dropped: such a client continues only from commits that were
 * merged.
 */
export function createSeenWith(parts: SeenParts, { dropped = false } = {}): SeenWith {
  const { odb, index, replays, following } = parts;
  const breathe = createSharedBreathe();
  const beside = createBeside({ ...parts, breathe });
  const maxBeside = dropped ? MAX_STEPS_BACK : MAX_BESIDE;

  async function look(from: Oid): Promise<number | undefined> {
    let commit: Oid | null = from;
    /** The newest commit found beside the line, and how many there are. */
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

  /** A client may name the id of any object, such as a file. */
  function isCommit(id: Oid): boolean {
    return following.hasRecord(id) && (odb.measure(id)?.type ?? 'commit') === 'commit';
  }

  return async (commit) => {
    for (;;) {
      const { cuts } = index;
      const seen = await look(commit);
      // If the log was cut meanwhile, the position may be another commit's.
      if (index.cuts === cuts) return seen;
    }
  };
}

/**
 * The commit at a position and some older ones at growing distances, down to the first: even if the newest ones are
 * replaced, the log still has one of these, unless it is a different log.
 */
export function cursorAt(index: LogIndex, position: number): Oid[] {
  const cursor = [index.commitAt(position)];
  for (let distance = 1; distance < position; distance *= 2) cursor.push(index.commitAt(position - distance));
  if (position > 0) cursor.push(index.commitAt(0));
  return cursor;
}

/** A place in the log that moves back when the log is cut below it. */
export interface FeedReader {
  /** The position to read next. */
  next: number;
  /** Resolves when the log has grown, or `wake` is called. */
  untilGrown(): Promise<void>;
  wake(): void;
  stop(): void;
}

/** Created before the start is known, so that no cut is missed; the caller then lowers `next` to the start. */
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
