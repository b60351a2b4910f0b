// Keeps the index up to date with the log: at the start, as our changes become durable, and as external commits arrive.
// Each time it advances from the newest commit that the index has to the newest one of the log; readers wait for that.
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
import type { FileSchemaOf } from './tree-changes.ts';
import { createVersions } from './versions.ts';

export interface FollowParts extends PushedByParts {
  odb: Odb;
  /** The identity that the service commits with. */
  committer: Person;
  index: LogIndex;
  contested: Contested;
  replays: Replays;
  schemaOf: FileSchemaOf;
  /** Resolves once the repository has every durable commit. */
  flush(): Promise<void>;
  warn: Warn;
}

/** How long replayed commits stay readable: a reader may still be working on one. */
const KEEP_MS = 5000;
const UNREADABLE = 'the history cannot be read at the moment; try again later';

/** The start, new commits, the catch-up and its waiters share the running round, its goal and its failure. */
export function createFollowing(parts: FollowParts): Following {
  const { odb, index, contested, replays, warn } = parts;
  const recent = createRecentCommits((commit) => odb.has(commit));
  const followers = new Set<Follower>();
  /** The newest commit that the store reported. */
  let newest: Oid | null = index.head ?? null;
  let running: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;
  const rounds = createRounds(() => running);
  let isClosed = false;
  /** Replayed commits that the index may still have. */
  const outdated: Oid[] = [];
  const breathe = createBreathe();
  const reader = createCommitReader({ ...parts, recent });
  const { record } = reader;
  const versions = createVersions({
    ...{ odb, index, contested, breathe, flush: parts.flush },
    ...{ record, readBlob: reader.readBlob, schemaOf: parts.schemaOf },
  });
  const { changesOf, mayServeOthers } = createChangesOf({ index, contested, recent, versions, record });
  const indexing = createIndexing({
    ...{ odb, index, contested, replays, recent, reader },
    changesOf,
    pause,
    followers,
  });

  function remember(entry: LogEntry, blobs?: readonly Oid[], known?: CommitRecord): void {
    recent.add(entry, () => (known ?? readRecord(entry.body, parts.committer)).own, blobs);
    newest = entry.commit;
  }

  function run(): void {
    if (running || isClosed) return;
    failure = undefined;
    running = catchUp()
      .catch(fail)
      .finally(() => {
        running = undefined;
        // Another commit was reported while the catch-up was finishing.
        if (!failure && isBehind()) run();
      });
  }

  /** A history that cannot be read stops no write; the next request reads it again. */
  function fail(error: unknown): void {
    if (isClosed) return;
    failure = { error };
    warn('the history cannot be read from the repository', error);
  }

  function isBehind(): boolean {
    return newest !== null && newest !== index.head;
  }

  async function catchUp(): Promise<void> {
    while (newest && isBehind() && !isClosed) {
      const round = rounds.begin();
      const goal = newest;
      await indexing.advanceTo(goal, () => newest === goal);
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
      newest = head;
      for (const entry of recovered) remember(entry);
      run();
    },
    onCommit(entry, blobs) {
      try {
        const parsed = readRecord(entry.body, parts.committer);
        remember(entry, blobs, parsed);
        const [parent] = parsed.parents;
        const changes = recent.changesOf(entry.commit);
        const isNext = !running && parent === index.head;
        if (isNext && changes && !mayServeOthers(changes, parsed.own)) {
          indexing.append(entry.commit, { changes, lists: NO_LISTS });
        } else run();
      } catch (error) {
        fail(error);
      }
    },
    onExternal(to, replanted) {
      newest = to;
      for (const { from, entry, blobs } of replanted) {
        outdated.push(from);
        remember(entry, blobs);
      }
      run();
    },
    async ready() {
      if (failure) run();
      await rounds.next();
      if (failure) throw new ServiceError('unavailable', UNREADABLE, { cause: failure.error });
    },
    isCurrent: () => !running && !failure && !isBehind(),
    ...reader,
    blobAfter: versions.blobAfter,
    versionOf: versions.versionOf,
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

/** Rounds of the catch-up: each reads up to the commit that was the newest when it began. */
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
    /**
     * Resolves at the end of the first round that begins after the call: a running one may have begun before the newest
     * change. The next one includes it, whatever is written meanwhile.
     */
    async next(): Promise<void> {
      const enough = begun + 1;
      while (running() && begun < enough) await end();
      if (running()) await end();
    },
  };
}
