// Other people's commits: what becomes of ours when somebody moves the branch. Theirs become the parents of what waits,
// nothing of either is dropped, and where the branch was moved away somebody has to choose. Called only while nothing is
// being published.
import { ServiceError } from '../../lib/errors.ts';
import { nextTurn } from '../../lib/queues/slices.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import { type Oid, type Person, parseCommit } from '../git/objects.ts';
import type { DiskWork } from '../packs/disk-work.ts';
import { createMovedBranch, KEPT_REFS } from '../repository/moved-branch.ts';
import type { Odb } from '../repository/odb.ts';
import { type Branch, MAIN, type MoveOutcome } from '../repository/refs.ts';
import { createBranchWatch } from './branch-watch.ts';
import type { LogEntry } from './entry.ts';
import { basesBefore, type LogState, waitingIn } from './log-state.ts';
import type { Publishable, Publisher } from './publisher.ts';
import { type CreateRebase, createReplanter } from './replant.ts';
import { createReplay } from './replay.ts';
import type { KeepAside } from './set-aside.ts';
import { readSince } from './since.ts';

export interface Moved {
  ours: Oid;
  /** Null where the branch is gone. */
  theirs: Oid | null;
}

/** Somebody else's commits, now under the branch. */
export interface External {
  /** The branch before; not always an ancestor of `to`. */
  from: Oid | null;
  /** The newest commit that is not ours, or that was under the branch before in another place. */
  to: Oid;
  /** Our durable changes that now stand on top of `to`, oldest first, and the commits that they were. */
  replanted: readonly Replanted[];
  /** Paths of their files, as the changes are now and as they were; what was set aside has only those. */
  ours: ReadonlySet<string>;
  /** The service made them: an older tree as the newest commit. */
  isOwn: boolean;
}

export interface Replanted {
  from: Oid;
  entry: LogEntry;
  /** Ids of the written files, in their order. */
  blobs: readonly Oid[];
}

export interface AdvanceOptions {
  /** A commit that the service made. */
  isOwn?: boolean;
  /** Whether it may be put below the changes that wait for the branch; asked in the moment in which it is moved. */
  isFree?(waiting: readonly LogEntry[]): boolean;
  /** Runs before the branch is moved, while nothing else moves it. Where it throws the branch stays. */
  record?(): Promise<void>;
}

export interface Others {
  /** Takes in what is under the branch. False where the branch is not ours to move now. */
  takeIn(): boolean;
  /** The branch is to be read at the next look, whatever its file's times say. */
  look(): void;
  /** The branch cannot be gone on from: writes are refused until a later look finds it well. */
  refuse(message: string): void;
  /** Reads what comes in while requests go on, then moves the branch. */
  advance(from: Oid | null, to: Oid, options?: AdvanceOptions): Promise<'moved' | 'changed' | 'locked'>;
  replayOnto(theirs: Oid, base: Oid | null): Promise<void>;
  choose(keep: 'ours' | 'theirs'): Promise<void>;
  /** Why writes are refused. */
  readonly refusal: ServiceError | undefined;
  readonly moved: Moved | undefined;
}

export interface OthersParts {
  disk: Disk;
  work: DiskWork;
  diskWatch: DiskWatch;
  repository: string;
  branch: Branch;
  odb: Odb;
  publisher: Publisher;
  /** Under whose name the service commits. */
  committer: Person;
  createRebase?: CreateRebase | undefined;
  onExternal(external: External): void;
  /** Works for some milliseconds on what `onExternal` will need; it is called when this says true, and may be without. */
  prepare?: ((from: Oid | null, to: Oid) => boolean) | undefined;
  /** Changes of the branch are about to become others: what is known of them goes with them. */
  carryNotes?(replayed: readonly { from: Oid; to: Oid }[]): Promise<void>;
  /** Runs it while nothing becomes durable: what is accepted meanwhile is answered behind it. */
  holdWrites<T>(run: () => Promise<T>): Promise<T>;
  /** The search for the common commit, or the preparation, goes on at the next look, which should be soon. */
  onSearching(): void;
  keepAside: KeepAside;
  onRefused(refusal: ServiceError): void;
  /** The branch has the first of our waiting changes. */
  onPublished(count: number): void;
  warn: Warn;
  /** The views are not what the repository is any more. */
  onBroken(error: unknown): void;
}

/** Commits on top of ours that are looked through for ours. */
const OWN_SEARCH = 10_000;
/** Changes that are replayed before the event loop has its turn. */
const REPLAY_SLICE = 32;

export function createOthers(state: LogState, parts: OthersParts): Others {
  const { disk, odb, publisher, repository, work } = parts;
  const watch = createBranchWatch(parts);
  const replay = createReplay(state, parts);
  const movedBranch = createMovedBranch(disk, repository);
  let isMoveRemembered = movedBranch.read() !== null;
  let moved: Moved | undefined;
  let refusal: ServiceError | undefined;

  function takeIn(): boolean {
    try {
      const seen = watch.look(state.gitHead);
      if (!seen) return !refusal;
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
        const published = countOwnUnder(seen.theirs);
        if (published > 0) parts.onPublished(published);
        if (state.gitHead !== seen.theirs) replantOn(seen.theirs);
      }
      if (isMoveRemembered) settle();
      refusal = undefined;
      return true;
    } catch (error) {
      watch.forget();
      refuse(`commits made beside the service cannot be read: ${(error as Error).message}`);
      return false;
    }
  }

  /** How many of ours the branch has: it was moved, and what we were about to do next went wrong. */
  function countOwnUnder(theirs: Oid): number {
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

  function moveAway(theirs: Oid | null): void {
    const ours = state.gitHead!; // nothing is away from an empty branch
    moved = { ours, theirs };
    movedBranch.remember(ours); // at once: nobody is told of it before a start would find it
    isMoveRemembered = true;
    refuse(
      `branch main was moved from ${ours} to ${theirs ?? 'nothing'}, which does not contain it; reads go on. ` +
        `Put it back (git update-ref refs/heads/main ${ours}), or choose with POST /api/admin/repository/resolve ` +
        `{"keep": "ours"} or {"keep": "theirs"}: what is not kept stays under ${KEPT_REFS}`,
    );
  }

  function settle(): void {
    moved = undefined;
    movedBranch.forget();
    isMoveRemembered = false;
  }

  function refuse(message: string): void {
    if (refusal?.message !== message) parts.warn(message);
    refusal = new ServiceError('unavailable', message);
    parts.onRefused(refusal);
  }

  /** Works for some milliseconds on what taking in `theirs` will need; true when little is left of it. */
  function getReady(theirs: Oid): boolean {
    if (parts.prepare && !parts.prepare(state.gitHead, theirs)) return false;
    return replay.step(theirs);
  }

  /** Ours get another parent; all of it is worked out before anything is changed. */
  function replantOn(theirs: Oid, isOwn = false): void {
    const from = state.gitHead;
    const ours = waitingIn(state);
    const before = ours.map(({ entry }) => entry);
    const { tree, head, replanted } = replay.finish(theirs);
    keepUnplaced(before, replanted, from);
    ours.forEach((pending, i) => {
      const { entry, result } = replanted[i]!;
      Object.assign(pending, { entry, result });
    });
    publisher.forget();
    const durableHead = state.durable.at(-1)?.entry.commit ?? theirs;
    Object.assign(state, { gitHead: theirs, head, durableHead, tree, batch: undefined });
    if (ours.length > 0) state.replants++;
    try {
      parts.onExternal({
        from,
        to: theirs,
        replanted: state.durable.map(({ entry, result }, i) => ({
          ...{ from: before[i]!.commit, entry },
          blobs: result.blobs.map(({ oid }) => oid),
        })),
        ours: new Set(
          state.durable.flatMap(({ entry }, i) => [...before[i]!.files, ...entry.files].map(({ path }) => path)),
        ),
        isOwn,
      });
      for (const [i, { entry, result, replayed }] of ours.entries()) {
        const blobs = result.blobs.map(({ oid }) => oid);
        const shownAs = i < state.durable.length ? entry.commit : undefined;
        replayed?.(entry.files, blobs, shownAs, replanted[i]!.problem !== undefined);
      }
    } catch (error) {
      parts.onBroken(error);
    }
  }

  /** The changes that could not be put there are kept as they were. */
  function keepUnplaced(
    before: readonly LogEntry[],
    after: readonly { problem?: string | undefined }[],
    base: Oid | null,
  ): void {
    for (const [i, { problem }] of after.entries()) {
      if (problem !== undefined) parts.keepAside(before.slice(0, i + 1), base, problem);
    }
  }

  /** In a thread: the event loop goes on meanwhile. */
  function move(from: Oid | null, to: Oid): Promise<MoveOutcome> {
    return parts.diskWatch.watch(work('moveRef', MAIN, from, to), 'a move of the branch');
  }

  /** The branch is at the commit, by our own hand. */
  function goOnFrom(commit: Oid, isOwn = false): void {
    odb.refresh();
    replantOn(commit, isOwn);
    watch.forget();
  }

  return {
    takeIn,
    look: watch.forget,
    refuse,
    async advance(from, to, { isOwn, isFree = () => true, record } = {}) {
      odb.refresh();
      while (state.gitHead === from && !getReady(to)) await nextTurn();
      const mayMove = (): boolean => state.gitHead === from && isFree(waitingIn(state).map(({ entry }) => entry));
      if (!mayMove()) return 'changed';
      if (record) {
        await record();
        if (!mayMove()) return 'changed';
      }
      // Nobody who is answered meanwhile may have decided on what the branch was before: `isFree` has been asked.
      return parts.holdWrites(async () => {
        const outcome = await move(from, to);
        if (outcome === 'moved') goOnFrom(to, isOwn);
        return outcome;
      });
    },
    async replayOnto(theirs, base) {
      if (!takeIn()) throw refusal ?? new ServiceError('unavailable', 'branch is being read; try again');
      const { gitHead } = state;
      const { tree, replant } = createReplanter({ odb, onto: theirs, base, createRebase: parts.createRebase });
      const replayed: Publishable[] = [];
      const names: { from: Oid; to: Oid }[] = [];
      let head = theirs;
      for (const entry of gitHead ? readSince(odb, gitHead, base) : []) {
        const { problem, ...onTop } = replant(entry, head, isOwnCommit(entry.body, parts.committer));
        if (problem !== undefined) parts.keepAside([entry], null, problem);
        replayed.push(onTop);
        head = onTop.entry.commit;
        names.push({ from: entry.commit, to: head });
        if (replayed.length % REPLAY_SLICE === 0) await nextTurn();
      }
      await parts.carryNotes?.(names);
      publisher.forget();
      const outcome = replayed.length
        ? await publisher.publish(replayed, gitHead, (directories) => basesBefore(replayed, tree, directories), false)
        : await move(gitHead, theirs);
      if (outcome !== 'moved') throw movedMeanwhile();
      goOnFrom(head);
    },
    async choose(keep) {
      takeIn();
      if (!moved) throw new ServiceError('conflict', 'nobody moved the branch away: there is nothing to choose');
      const { ours, theirs } = moved;
      if (keep === 'theirs' && !theirs)
        throw new ServiceError('conflict', 'branch main is gone: only ours can be kept');
      const dropped = keep === 'ours' ? theirs : ours;
      if (dropped) await work('keepCommit', dropped);
      if (keep === 'theirs') goOnFrom(theirs!);
      else if ((await move(theirs, ours)) !== 'moved') throw movedMeanwhile();
      settle();
      refusal = undefined;
      watch.forget();
    },
    get refusal() {
      return refusal;
    },
    get moved() {
      return moved;
    },
  };
}

function movedMeanwhile(): ServiceError {
  return new ServiceError('unavailable', 'somebody else moved the branch, or holds its lock; try again');
}

function isOwnCommit(body: Buffer, { name, email }: Person): boolean {
  const { committer } = parseCommit(body);
  return committer.name === name && committer.email === email;
}
