// Keeps the index on the log: our changes as they become durable, other people's commits as they are taken in, and at
// the start whatever came since the index was saved. All of it is one motion: from the newest commit that the index has
// to the newest one there is. Readers wait until that is done.
import { DOCUMENT_FILE_BYTES } from '../content/stored.ts';
import { ServiceError } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import type { Oid, Person } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { Replanted } from '../store/log/external.ts';
import type { Odb } from '../store/repository/odb.ts';
import { type CommitRecord, identityOf, readRecord } from './commit-record.ts';
import type { Contested } from './contested.ts';
import type { DocumentChange, LogIndex } from './log-index.ts';
import { findMainline, type MainlineCommit } from './mainline.ts';
import { ownMedia, toMediaChange } from './media-changes.ts';
import { createPushedBy, type PushedBy, type PushedByParts } from './pushed-by.ts';
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
  warn: Warn;
}

/** Hears what becomes of the index: it has commits more, or only so many as `size` any more. */
export interface Follower {
  grown?(): void;
  cut?(size: number): void;
}

export interface Following {
  /** Starts at a commit of the branch and the changes recovered on top of it. */
  start(head: Oid | null, recovered: readonly LogEntry[]): void;
  /** A change of ours that is durable now; `blobs` as in `onCommit` of the store. */
  onCommit(entry: LogEntry, blobs?: readonly Oid[]): void;
  /** Somebody else's commits up to `to`, and ours that now stand on top of it. */
  onExternal(to: Oid, replanted: readonly Replanted[]): void;
  /** Resolves once the index has all that was durable when it was asked. @throws 503 where it cannot be read. */
  ready(): Promise<void>;
  /** Whether it has all of it now. */
  isCurrent(): boolean;
  record(commit: Oid): CommitRecord;
  /** Who pushed it through the service; undefined for whatever came in another way. */
  pushedBy(commit: Oid): PushedBy | undefined;
  /** Whether the commit can be read; one that was replayed may never have come into the repository. */
  hasRecord(commit: Oid): boolean;
  readBlob(blob: Oid): Buffer;
  hasBlob(blob: Oid): boolean;
  /** The file of a document after a commit that changed it; undefined where it took the document away. */
  blobAfter(commit: Oid, id: string): Promise<Oid | undefined>;
  follow(follower: Follower): () => void;
  close(): Promise<void>;
}

const NO_LISTS: ServedChanges['lists'] = new Map();
const MAKES_DOCUMENT: ReadonlySet<string> = new Set(['document.created', 'document.restored']);
/** Somebody may just be told of a commit that is another one now. */
const KEEP_MS = 5000;

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

  const readCommit = (commit: Oid): Buffer => recent.find(commit) ?? odb.get(commit, 'commit');
  const pushedBy = createPushedBy(parts);
  /** What somebody brought is not the service's, whatever it says of itself. */
  function record(commit: Oid): CommitRecord {
    const told = readRecord(readCommit(commit), parts.committer);
    return told.own && parts.notes.has(commit) ? { ...told, own: undefined } : told;
  }
  const readBlob = (blob: Oid): Buffer => recent.findBlob(blob) ?? odb.get(blob, 'blob', DOCUMENT_FILE_BYTES);
  const versions = createVersions({ odb, index, contested, record, readBlob, breathe, flush: parts.flush });

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

  /** Takes the commits behind `base` out, and tells of each one that comes in whether it is one of them again. */
  async function cutTo(base: number): Promise<{ note(commit: Oid): void }> {
    const baseCommit = base < 0 ? null : index.commitAt(base);
    const before = new Map<string, Oid[]>();
    for (let position = base + 1; position < index.size; position++) {
      const commit = index.commitAt(position);
      await pause();
      if (!recent.find(commit) && !odb.has(commit)) continue;
      const identity = identityOf(readCommit(commit));
      // Nothing keeps people from saying the same twice in a second.
      before.set(identity, [...(before.get(identity) ?? []), commit]);
    }
    index.truncate(base + 1);
    contested.truncate(base + 1);
    for (const follower of followers) follower.cut?.(base + 1);
    return {
      note(commit) {
        const was = before.get(identityOf(readCommit(commit)))?.shift();
        if (was) replays.add(was, { now: commit, base: baseCommit });
      },
    };
  }

  async function changesOf({ commit, parents, own }: MainlineCommit): Promise<ServedChanges | undefined> {
    const said = recent.changesOf(commit) ?? changesIn(own);
    if (said && !mayServeOthers(said, own)) return { changes: said, lists: NO_LISTS };
    return versions.changesOf(commit, parents);
  }

  /**
   * Whether another file than the commit says may be served behind it, or none: one that waits for an id or a slug that
   * it leaves, or that an external commit below it put into the place of the one that it was decided on.
   */
  function mayServeOthers(changes: readonly DocumentChange[], own: CommitRecord['own']): boolean {
    const { documents, event = '', place } = own ?? {};
    if (!documents) return false;
    if (MAKES_DOCUMENT.has(event) && lastCommitOf(documents.id)) return true;
    return changes.some(
      ({ id, gone }) => contested.touches(id, gone ?? place) || (contested.wasContested(id) && isTheirs(id)),
    );
  }

  /** The newest commit that changed the document; undefined if it is not there. */
  function lastCommitOf(id: string): Oid | undefined {
    const document = index.findDocument(id);
    const change = document < 0 ? -1 : index.lastChangeOf(document);
    return change < 0 || index.isGone(change) ? undefined : index.commitAt(index.positionOfChange(change));
  }

  function isTheirs(id: string): boolean {
    const commit = lastCommitOf(id);
    return commit !== undefined && !record(commit).own;
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
    record,
    pushedBy,
    hasRecord: (commit) => recent.find(commit) !== undefined || odb.has(commit),
    readBlob,
    hasBlob: (blob) => recent.findBlob(blob) !== undefined || odb.has(blob),
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

/** What one of our commits says that it changed; undefined if its trees have to be asked. */
function changesIn(own: CommitRecord['own']): DocumentChange[] | undefined {
  const media = ownMedia(own);
  if (media) return [toMediaChange(media)];
  if (!own?.documents) return undefined;
  const { id, also } = own.documents;
  const main = own.event === 'document.deleted' && own.place ? { id, gone: own.place } : { id };
  return [main, ...also.map((one) => ({ id: one }))];
}
