// All of ours that waits for the branch, put on somebody else's commit while requests go on: a slice at each step, until
// nothing is left but what was accepted since the last one. Nothing of the log is changed here.

import type { Oid } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';
import { type LogState, type Pending, waitingIn } from './log-state.ts';
import { type CreateRebase, createReplanter, type Replanted, type Replanter } from './replant.ts';

export interface ReplayParts {
  odb: Odb;
  createRebase?: CreateRebase | undefined;
}

export interface Replay {
  /** Goes on for some milliseconds; true once `finish` has little left to do. */
  step(theirs: Oid): boolean;
  /** The rest at once: what each waiting change becomes on `theirs`, oldest first, and the tree that they come to. */
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
/** Fewer changes are put under the branch at the look that finds the commit. */
const MANY = 100;

export function createReplay(state: LogState, { odb, createRebase }: ReplayParts): Replay {
  let work: Work | undefined;

  function begin(theirs: Oid): Work {
    const from = state.gitHead;
    const replanter = createReplanter({ odb, onto: theirs, base: from, createRebase });
    return { ...replanter, from, theirs, ahead: replanter.prepare(), isAhead: false, done: [], head: theirs };
  }

  /** The work so far, anew if a change that it has was refused meanwhile. */
  function current(theirs: Oid, waiting: readonly Pending[]): Work {
    const last = work?.done.at(-1)?.pending;
    const isValid = work && work.from === state.gitHead && work.theirs === theirs;
    if (!isValid || (last && waiting[work!.done.length - 1] !== last)) work = begin(theirs);
    return work!;
  }

  /** The first `count` of what waits; false if the time was over first. */
  function goOn(theirs: Oid, count: number, untilMs: number): boolean {
    const waiting = waitingIn(state).slice(0, count);
    const here = current(theirs, waiting);
    while (waiting.length > 0 && !here.isAhead) {
      here.isAhead = here.ahead.next().done === true;
      if (performance.now() > untilMs) return false;
    }
    while (here.done.length < waiting.length) {
      const pending = waiting[here.done.length]!;
      // Whoever made a durable change was told of it as the commit that it was.
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
        // Others may be durable, and answered, by the time that they are put under the branch.
        const isDone = goOn(theirs, state.durable.length, startMs + SLICE_MS);
        // What was long enough to be a slice is not in one turn with what comes next.
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
