import { ServiceError } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { Oid, Person } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { Odb } from '../store/repository/odb.ts';
import { createChangesOf, NO_LISTS } from './changes-of.ts';
import { createCommitReader } from './commit-reader.ts';
import { type CommitRecord, readRecord } from './commit-record.ts';
import type { Contested } from './contested.ts';
import type { Follower, Following } from './following.ts';
import type { LogIndex } from './log-index.ts';
import { findMainline } from './mainline.ts';
import { noteReplays, type ReplayNotes } from './note-replays.ts';
import type { PushedByParts } from './pushed-by.ts';
import { createRecentCommits } from './recent-commits.ts';
import type { Replays } from './replays.ts';
import type { ServedChanges } from './served-changes.ts';
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
  warn(message: string, error?: unknown): void;
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
  /** Each goes as far as the newest commit at its beginning. */
  let roundsBegun = 0;
  let lastRound = Promise.withResolvers<void>();
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

  function remember(entry: LogEntry, blobs?: readonly Oid[], told?: CommitRecord): void {
    recent.add(entry, () => (told ?? readRecord(entry.body, parts.committer)).own, blobs);
    target = entry.commit;
  }

  function append(commit: Oid, { changes, lists }: ServedChanges): void {
    contested.apply(index.size, lists);
    index.append(commit, changes);
    for (const follower of followers) follower.grown?.();
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

  function beginRound(): PromiseWithResolvers<void> {
    roundsBegun++;
    lastRound = Promise.withResolvers();
    return lastRound;
  }

  /** Takes the commits behind `base` out of the index. */
  async function cutTo(base: number): Promise<ReplayNotes> {
    const notes = await noteReplays({ index, recent, odb, replays, reader, pause }, base);
    index.truncate(base + 1);
    contested.truncate(base + 1);
    for (const follower of followers) follower.cut?.(base + 1);
    return notes;
  }

  async function catchUp(): Promise<void> {
    while (target && isBehind() && !isClosed) {
      const round = beginRound();
      const goal = target;
      const { base, line } = await findMainline(goal, {
        positionOf: (commit) => index.positionOf(commit),
        read: record,
        breathe: pause,
      });
      const cut = base + 1 < index.size ? await cutTo(base) : undefined;
      for (const node of line) {
        const changes = await changesOf(node);
        if (!changes && target === goal) throw new Error(`commit ${node.commit} is not in the repository`);
        if (!changes) break;
        cut?.note(node.commit);
        for (const { commit, base: below } of node.own?.replaced ?? []) {
          replays.add(commit, { now: node.commit, base: below });
        }
        append(node.commit, changes);
        await pause();
      }
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
        if (isNext && changes && !mayServeOthers(changes, told.own)) append(entry.commit, { changes, lists: NO_LISTS });
        else run();
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
      // What is under way may have begun before the newest change; the next one has it, whatever is written meanwhile.
      const enough = roundsBegun + 1;
      while (running && roundsBegun < enough) await Promise.race([running, lastRound.promise]);
      if (running) await Promise.race([running, lastRound.promise]);
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
