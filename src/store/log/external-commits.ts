// External commits on the log's branch: those that it finds there (branch-reader.ts), and those that it is asked to
// move the branch to. They become the parents of waiting changes, and nothing of either side is dropped. Called only
// while nothing is being published.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../../lib/errors.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import type { NotShown } from '../git/not-shown.ts';
import { type Oid, type Person, parseCommit } from '../git/objects.ts';
import type { DiskWork } from '../repository/disk-work.ts';
import { MAIN, type MoveOutcome } from '../repository/refs.ts';
import { type BranchReader, type BranchReaderParts, createBranchReader } from './branch-reader.ts';
import type { LogEntry } from './entry.ts';
import { basesBefore, type LogState, waitingIn } from './log-state.ts';
import type { Publishable, Publisher } from './publish/publisher.ts';
import { createReplanter } from './replant.ts';
import { readSince } from './since.ts';

export interface AdvanceOptions {
  /** The service made the commit. */
  isOwn?: boolean;
  /** Whether the commit may go below the changes that wait for the branch; called right before the branch is moved. */
  isFree?(waiting: readonly LogEntry[]): boolean;
  /** Called with what of the commit our waiting changes overwrite, if there is anything. */
  onNotShown?(notShown: readonly NotShown[]): void;
  /** Runs before the branch is moved, while nothing else moves it. If it throws, the branch stays where it is. */
  record?(): Promise<void>;
}

export interface ExternalCommits extends Pick<BranchReader, 'readBranch' | 'lookAgain' | 'refuse' | 'moved'> {
  /** Prepares for the new commits while requests go on, then moves the branch. */
  advance(from: Oid | null, to: Oid, options?: AdvanceOptions): Promise<'moved' | 'changed' | 'locked'>;
  /** See Log. */
  replayOnto(theirs: Oid, base: Oid | null): Promise<void>;
  /** See Log. */
  choose(keep: 'ours' | 'theirs', shown?: Oid | null): Promise<void>;
}

export interface ExternalCommitsParts extends BranchReaderParts {
  work: DiskWork;
  diskWatch: DiskWatch;
  publisher: Publisher;
  /** The name under which the service commits. */
  committer: Person;
  /** Commits of the branch are about to be replaced by others: copies the notes on them to the new commits. */
  carryNotes?(replayed: readonly { from: Oid; to: Oid }[]): Promise<void>;
  /** Runs `run` while nothing becomes durable; changes accepted meanwhile are answered afterwards. */
  holdWrites<T>(run: () => Promise<T>): Promise<T>;
}

/** Changes that are replayed before the event loop gets its turn. */
const REPLAY_SLICE = 32;

export function createExternalCommits(state: LogState, parts: ExternalCommitsParts): ExternalCommits {
  const { odb, publisher, work, refusals } = parts;
  const branch = createBranchReader(state, parts);

  /** Moves the branch in a thread: the event loop goes on meanwhile. */
  function move(from: Oid | null, to: Oid): Promise<MoveOutcome> {
    return parts.diskWatch.watch(work('moveRef', MAIN, from, to), 'a move of the branch');
  }

  return {
    readBranch: branch.readBranch,
    lookAgain: branch.lookAgain,
    refuse: branch.refuse,
    get moved() {
      return branch.moved;
    },
    async advance(from, to, { isOwn, isFree = () => true, record, onNotShown } = {}) {
      odb.refresh();
      while (state.gitHead === from && !branch.getReady(to)) await nextTurn();
      const mayMove = (): boolean => state.gitHead === from && isFree(waitingIn(state).map(({ entry }) => entry));
      if (!mayMove()) return 'changed';
      if (record) {
        await record();
        if (!mayMove()) return 'changed';
      }
      // `isFree` has agreed: until the branch is moved, no change that was decided on its old commit may be answered.
      return parts.holdWrites(async () => {
        const outcome = await move(from, to);
        const notShown = outcome === 'moved' ? branch.goOnFrom(to, isOwn) : [];
        if (notShown.length > 0) onNotShown?.(notShown);
        return outcome;
      });
    },
    async replayOnto(theirs, base) {
      if (!branch.readBranch())
        throw refusals.branch ?? new ServiceError('unavailable', 'branch "main" is being read; try again');
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
        if (replayed.length % REPLAY_SLICE === 0) await new Promise((done) => setImmediate(done));
      }
      await parts.carryNotes?.(names);
      publisher.forget();
      const outcome = replayed.length
        ? await publisher.publish(replayed, gitHead, (directories) => basesBefore(replayed, tree, directories), false)
        : await move(gitHead, theirs);
      if (outcome !== 'moved') throw movedMeanwhile();
      branch.goOnFrom(head);
    },
    async choose(keep, shown) {
      branch.readBranch();
      if (!branch.moved)
        throw new ServiceError('conflict', 'branch "main" was not moved away: there is nothing to choose');
      const { ours, theirs } = branch.moved;
      if (shown !== undefined && shown !== theirs)
        throw new ServiceError('conflict', 'branch "main" was moved again; look at it before you choose');
      if (keep === 'theirs' && !theirs)
        throw new ServiceError('conflict', 'branch "main" is gone: only ours can be kept');
      const dropped = keep === 'ours' ? theirs : ours;
      if (dropped) await work('keepCommit', dropped);
      if (keep === 'theirs') branch.goOnFrom(theirs!);
      else if ((await move(theirs, ours)) !== 'moved') throw movedMeanwhile();
      branch.settle();
      refusals.branch = undefined;
      branch.lookAgain();
    },
  };
}

function movedMeanwhile(): ServiceError {
  return new ServiceError('unavailable', 'another process moved branch "main" or holds its lock; try again');
}

function isOwnCommit(body: Buffer, { name, email }: Person): boolean {
  const { committer } = parseCommit(body);
  return committer.name === name && committer.email === email;
}
