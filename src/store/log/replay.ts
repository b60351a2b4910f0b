// Puts all waiting changes on an external commit while requests go on: one slice per step, until only those accepted
// since the last step are left. Does not change the log.

import type { Oid } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';
import { type LogState, type Pending, waitingIn } from './log-state.ts';
import { type CreateRebase, createReplanter, type Replanted, type Replanter } from './replant.ts';

export interface ReplayParts {
  odb: Odb;
  createRebase?: CreateRebase | undefined;
}

export interface Replay {
  /** Works for some milliseconds; returns true once `finish` has little left to do. */
  step(theirs: Oid): boolean;
  /**
   * Does the rest at once. Returns what each waiting change becomes on `theirs`, oldest first, and the resulting tree.
   */
  finish(theirs: Oid): { tree: Replanter['tree']; replanted: Replanted[]; head: Oid };
}

interface Work extends Replanter {
  from: Oid | null;
  theirs: Oid;
  ahead: Generator<undefined>;
  isAhead: boolean;
  done: { pending: Pending; replanted: Replanted }[];
  head: Oid;
}

const SLICE_MS = 8;
/** Fewer changes are put on top of the commit at the look that finds it. */
const MANY = 100;

export function createReplay(state: LogState, { odb, createRebase }: ReplayParts): Replay {
  let work: Work | undefined;

  function begin(theirs: Oid): Work {
    const from = state.gitHead;
    const replanter = createReplanter({ odb, onto: theirs, base: from, createRebase });
    return { ...replanter, from, theirs, ahead: replanter.prepare(), isAhead: false, done: [], head: theirs };
  }

  /** The work so far; begins anew if the branch has moved, or a change that was replayed has been refused. */
  function current(theirs: Oid, waiting: readonly Pending[]): Work {
    const last = work?.done.at(-1)?.pending;
    const isValid = work && work.from === state.gitHead && work.theirs === theirs;
    if (!isValid || (last && waiting[work!.done.length - 1] !== last)) work = begin(theirs);
    return work!;
  }

  /** Replays the first `count` waiting changes; returns false if time runs out first. */
  function goOn(theirs: Oid, count: number, untilMs: number): boolean {
    const waiting = waitingIn(state).slice(0, count);
    const here = current(theirs, waiting);
    while (waiting.length > 0 && !here.isAhead) {
      here.isAhead = here.ahead.next().done === true;
      if (performance.now() > untilMs) return false;
    }
    while (here.done.length < waiting.length) {
      const pending = waiting[here.done.length]!;
      // A durable change was reported with its earlier commit.
      const replanted = here.replant(pending.entry, here.head, here.done.length < state.durable.length);
      here.head = replanted.entry.commit;
      here.done.push({ pending, replanted });
      const { entry, result } = replanted;
      pending.replaying?.(
        entry.files,
        result.blobs.map(({ oid }) => oid),
      );
      if (performance.now() > untilMs) return here.done.length === waiting.length;
    }
    return true;
  }

  return {
    step(theirs) {
      const startMs = performance.now();
      try {
        // Only the durable changes: the others may be durable, and answered, by the time that the branch moves.
        const isDone = goOn(theirs, state.durable.length, startMs + SLICE_MS);
        // After a long slice, what comes next gets a turn of its own.
        const isLong = state.durable.length >= MANY && performance.now() - startMs > SLICE_MS / 2;
        return isDone && !isLong;
      } catch (error) {
        work = undefined;
        throw error;
      }
    },
    finish(theirs) {
      try {
        goOn(theirs, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
        const { tree, head, done } = work!;
        return { tree, head, replanted: done.map(({ replanted }) => replanted) };
      } finally {
        work = undefined;
      }
    },
  };
}
