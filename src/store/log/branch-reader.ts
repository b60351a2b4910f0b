// Reads the branch and applies what it finds: external commits on top of ours become the parents of waiting changes,
// and if the branch was moved away, writes are refused until an operator chooses. Must not move the branch. Called only
// while nothing is being published.
import { ServiceError } from '../../lib/errors.ts';
import type { Disk } from '../disk/disk.ts';
import type { NotShown } from '../git/not-shown.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import { createMovedBranch, KEPT_REFS } from '../repository/moved-branch.ts';
import type { Odb } from '../repository/odb.ts';
import type { Branch } from '../repository/refs.ts';
import { createBranchWatch } from './branch-watch.ts';
import type { Moved } from './external.ts';
import type { LogState } from './log-state.ts';
import { type PutOnTopParts, putOnTop } from './put-on-top.ts';
import type { Refusals } from './refusals.ts';
import { createReplay, type ReplayParts } from './replay.ts';

export interface BranchReader {
  /** Picks up external commits from the branch. Returns false if the branch is not ours to move now. */
  readBranch(): boolean;
  /** Makes the next look read the branch, whatever its file's times say. */
  lookAgain(): void;
  /** Refuses writes until a later look finds the branch in order. */
  refuse(message: string): void;
  /** Works for some milliseconds on what picking up `theirs` will need; returns true when little of it is left. */
  getReady(theirs: Oid): boolean;
  /** Continues from the commit, which the branch already points at; returns what of it our changes overwrite. */
  goOnFrom(commit: Oid, isOwn?: boolean): NotShown[];
  /** Forgets that the branch was moved away: it is back, or an operator has chosen. */
  settle(): void;
  readonly moved: Moved | undefined;
}

export interface BranchReaderParts extends ReplayParts, Omit<PutOnTopParts, 'replay'> {
  disk: Disk;
  repository: string;
  branch: Branch;
  odb: Odb;
  refusals: Refusals;
  /**
   * Works for some milliseconds on what `onExternal` will need; returns true when that is ready. `onExternal` may be
   * called without it.
   */
  prepare?: ((from: Oid | null, to: Oid) => boolean) | undefined;
  /** The search for the common commit, or the preparation, continues at the next look, which should be soon. */
  onSearching(): void;
  onRefused(refusal: ServiceError): void;
  /** The branch has the first of our waiting changes. */
  onPublished(count: number): void;
  warn(message: string): void;
}

/** How many commits on top of `gitHead` are searched for ours. */
const OWN_SEARCH = 10_000;

export function createBranchReader(state: LogState, parts: BranchReaderParts): BranchReader {
  const { odb, refusals } = parts;
  const watch = createBranchWatch(parts);
  const replay = createReplay(state, parts);
  const movedBranch = createMovedBranch(parts.disk, parts.repository);
  const onTop: PutOnTopParts = { ...parts, replay };
  let isMoveRemembered = movedBranch.read() !== null;
  let moved: Moved | undefined;

  function readBranch(): boolean {
    try {
      const seen = watch.look(state.gitHead);
      if (!seen) return !refusals.branch;
      if (seen.kind === 'searching') {
        parts.onSearching();
        return false;
      }
      if (seen.kind === 'away') {
        moveAway(seen.theirs);
        return false;
      }
      if (seen.kind === 'ahead' && !getReady(seen.theirs)) {
        watch.forget();
        parts.onSearching();
        return false;
      }
      if (seen.kind === 'ahead') {
        const published = countOwnUnder(state, odb, seen.theirs);
        if (published > 0) parts.onPublished(published);
        if (state.gitHead !== seen.theirs) putOnTop(state, onTop, seen.theirs, false);
      }
      if (isMoveRemembered) settle();
      refusals.branch = undefined;
      return true;
    } catch (error) {
      watch.forget();
      refuse(`external commits cannot be read: ${(error as Error).message}`);
      return false;
    }
  }

  function moveAway(theirs: Oid | null): void {
    const ours = state.gitHead!; // an empty branch cannot be moved away
    moved = { ours, theirs };
    movedBranch.remember(ours); // before the first refusal: a start must find it too
    isMoveRemembered = true;
    refuse(
      `branch "main" was moved from ${ours} to ${theirs ?? 'nothing'}, which does not contain it; reads go on. ` +
        `Put it back (git update-ref refs/heads/main ${ours}), or choose with POST /api/admin/repository/resolve ` +
        `{"keep": "ours"} or {"keep": "theirs"}: the side that is not kept stays under ${KEPT_REFS}`,
    );
  }

  function settle(): void {
    moved = undefined;
    movedBranch.forget();
    isMoveRemembered = false;
  }

  function refuse(message: string): void {
    if (refusals.branch?.message !== message) parts.warn(message);
    refusals.branch = new ServiceError('unavailable', message);
    parts.onRefused(refusals.branch);
  }

  function getReady(theirs: Oid): boolean {
    if (parts.prepare && !parts.prepare(state.gitHead, theirs)) return false;
    return replay.step(theirs);
  }

  return {
    readBranch,
    lookAgain: watch.forget,
    refuse,
    getReady,
    goOnFrom(commit, isOwn = false) {
      odb.refresh();
      const notShown = putOnTop(state, onTop, commit, isOwn);
      watch.forget();
      return notShown;
    },
    settle,
    get moved() {
      return moved;
    },
  };
}

/** How many of our changes the branch has already: it was moved, and the step after that failed. */
function countOwnUnder(state: LogState, odb: Odb, theirs: Oid): number {
  const [first] = state.durable;
  if (!first || !odb.has(first.entry.commit)) return 0;
  const places = new Map(state.durable.map(({ entry }, i) => [entry.commit, i + 1]));
  const seen = new Set([theirs]);
  for (const oid of seen) {
    const place = places.get(oid);
    if (place || seen.size > OWN_SEARCH) return place ?? 0;
    if (oid !== state.gitHead) for (const parent of parseCommit(odb.get(oid, 'commit')).parents) seen.add(parent);
  }
  return 0;
}
