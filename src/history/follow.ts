import { ServiceError } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import type { Oid, Person } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { Odb } from '../store/repository/odb.ts';
import { createChangesOf, NO_LISTS } from './changes-of.ts';
import { createCommitReader } from './commit-reader.ts';
import { type CommitRecord, readRecord } from './commit-record.ts';
import type { Contested } from './contested.ts';
import type { Follower, Following } from './following.ts';
import { createIndexing } from './indexing.ts';
import type { LogIndex } from './log-index.ts';
import type { PushedByParts } from './pushed-by.ts';
import { createRecentCommits } from './recent-commits.ts';
import type { Replays } from './replays.ts';
import { createVersions } from './versions.ts';

export interface FollowParts extends PushedByParts {
  odb: Odb;
  /** Under whose name the service commits. */
  committer: Person;
  index: LogIndex;
  contested: Contested;
  replays: Replays;
  /** Resolves once the repository has every durable commit. */
  flush(): Promise<void>;
  warn: Warn;
}

/** Somebody may just be told of a commit that is another one now. */
const KEEP_MS = 5000;

/**
 * One function, because a start, a new commit, the catching up and its waiters share what is running, how far it has to go
 * and what it failed at.
 */
export function createFollowing(parts: FollowParts): Following {
  const { odb, index, contested, replays, warn } = parts;
  const recent = createRecentCommits((commit) => odb.has(commit));
  const followers = new Set<Follower>();
  /** The newest commit that we were told of. */
  let target: Oid | null = index.head ?? null;
  let running: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;
  const rounds = createRounds(() => running);
  let isClosed = false;
  /** Commits that are others now; the index is still to learn that. */
  const outdated: Oid[] = [];
  const breathe = createBreathe();
  const reader = createCommitReader({ ...parts, recent });
  const { record } = reader;
  const versions = createVersions({
    ...{ odb, index, contested, breathe, flush: parts.flush },
    ...{ record, readBlob: reader.readBlob },
  });
  const { changesOf, mayServeOthers } = createChangesOf({ index, contested, recent, versions, record });
  const indexing = createIndexing({
    ...{ odb, index, contested, replays, recent, reader },
    changesOf,
    pause,
    followers,
  });

  function remember(entry: LogEntry, blobs?: readonly Oid[], told?: CommitRecord): void {
    recent.add(entry, () => (told ?? readRecord(entry.body, parts.committer)).own, blobs);
    target = entry.commit;
  }

  function run(): void {
    if (running || isClosed) return;
    failure = undefined;
    running = catchUp()
      .catch(fail)
      .finally(() => {
        running = undefined;
        // Told of one more while it came to its end.
        if (!failure && isBehind()) run();
      });
  }

  /** A history that cannot be kept stops no write; it is read again when somebody asks. */
  function fail(error: unknown): void {
    if (isClosed) return;
    failure = { error };
    warn('history cannot be read from the repository', error);
  }

  function isBehind(): boolean {
    return target !== null && target !== index.head;
  }

  async function catchUp(): Promise<void> {
    while (target && isBehind() && !isClosed) {
      const round = rounds.begin();
      const goal = target;
      await indexing.advanceTo(goal, () => target === goal);
      if (index.head === goal) round.resolve();
    }
    const gone = outdated.splice(0);
    if (gone.length) setTimeout(() => gone.forEach(recent.remove), KEEP_MS).unref();
  }

  function pause(): Promise<void> | undefined {
    if (isClosed) throw new Error('the site is closing');
    return breathe();
  }

  return {
    start(head, recovered) {
      target = head;
      for (const entry of recovered) remember(entry);
      run();
    },
    onCommit(entry, blobs) {
      try {
        const told = readRecord(entry.body, parts.committer);
        remember(entry, blobs, told);
        const [parent] = told.parents;
        const changes = recent.changesOf(entry.commit);
        const isNext = !running && parent === index.head;
        if (isNext && changes && !mayServeOthers(changes, told.own)) {
          indexing.append(entry.commit, { changes, lists: NO_LISTS });
        } else run();
      } catch (error) {
        fail(error);
      }
    },
    onExternal(to, replanted) {
      target = to;
      for (const { from, entry, blobs } of replanted) {
        outdated.push(from);
        remember(entry, blobs);
      }
      run();
    },
    async ready() {
      if (failure) run();
      await rounds.next();
      if (failure) throw new ServiceError('unavailable', 'history cannot be read now', { cause: failure.error });
    },
    isCurrent: () => !running && !failure && !isBehind(),
    ...reader,
    blobAfter: versions.blobAfter,
    follow(follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    async close() {
      isClosed = true;
      recent.close();
      await running;
    },
  };
}

/** Rounds of catching up: each goes as far as the newest commit at its beginning. */
function createRounds(running: () => Promise<void> | undefined) {
  let begun = 0;
  let last = Promise.withResolvers<void>();

  const end = (): Promise<void> => Promise.race([running(), last.promise]);

  return {
    begin(): PromiseWithResolvers<void> {
      begun++;
      last = Promise.withResolvers();
      return last;
    },
    /** Resolves at the end of the first round that begins after the call; one under way may lack the newest commit. */
    async next(): Promise<void> {
      const enough = begun + 1;
      while (running() && begun < enough) await end();
      if (running()) await end();
    },
  };
}
