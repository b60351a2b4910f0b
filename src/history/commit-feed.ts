// Every commit of the log in its order, for what reacts to each of them: webhooks, revalidation, deploys. Unlike the feed
// of changes it has the versions before and after at hand, and what happened to media files.
import type { StoredDocument } from '../content/document.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { Oid, Replaced } from '../store/git/objects.ts';
import type { CommitRecord } from './commit-record.ts';
import type { Change } from './feed.ts';
import type { FeedParts } from './feed-parts.ts';
import { createMediaOf, isMediaId, type LoggedMedia } from './media-changes.ts';
import type { PushedBy } from './pushed-by.ts';
import { createReader, createSeenWith, cursorAt, type Reader } from './seen.ts';
import { findVersion, nameOf, type Step, stepOf, tell } from './tell.ts';
import { parseVersion } from './tree-changes.ts';

/** What a commit did to one document. */
export interface LoggedChange extends Omit<Change, 'replaces' | 'user'> {
  isGone: boolean;
  /** The newest external commit of the document that it was replayed on: what was told of it before is older than that one. */
  overtakenBy: Oid | undefined;
  /** The file after it, where that is known without looking; undefined for a deletion. */
  blob: Oid | undefined;
  /** The document's commit before it; undefined where there was none, or that one took it away. */
  previous: Oid | undefined;
  before(): Promise<StoredDocument | undefined>;
  after(): Promise<StoredDocument | undefined>;
  /** What became of the document, whatever the commit says of itself: `document.created`, `document.updated`, ... */
  kind(): Promise<string>;
}

export type MovedMedia = LoggedMedia & { event: 'media.uploaded' | 'media.deleted' };

export interface LoggedCommit {
  commit: Oid;
  changeId: string;
  at: string;
  actor: Change['actor'];
  author: CommitRecord['author'];
  /** Who pushed it through the service; undefined for whatever came in another way. */
  push: PushedBy | undefined;
  changes: readonly LoggedChange[];
  /** Files that came, got other bytes or went. */
  media(): Promise<readonly MovedMedia[]>;
  /** For whoever goes on behind it one day: itself, and older commits in case that the log has no such commit then. */
  cursor: Cursor;
}

/** Newest first. */
export type Cursor = readonly Oid[];

export interface CommitFeed {
  /** The cursor of the newest commit; empty in an empty repository. @throws 503 if the log cannot be read. */
  newest(): Promise<Cursor>;
  /**
   * Commits behind the cursor (an empty one: all of them), and then each one as it becomes durable, until the signal. If
   * the log does not have the cursor's newest commit any more, it goes on from where that line and the log part, and a
   * commit that was replayed comes again, with the same `changeId`. `lost` if that is not known exactly: then some that
   * were seen come again too, those behind `lost.base`.
   */
  commits(since: Cursor, signal: AbortSignal): Promise<{ commits: AsyncIterable<LoggedCommit>; lost?: Lost }>;
  /**
   * A document as a commit of the log left it, or what that commit is now: null if the log has neither any more.
   * `blob`, if it is known, saves looking for it.
   */
  versionAt(commit: Oid, id: string, blob?: Oid): Promise<CommitVersion | null>;
  /** The same by the change's id, which no replay changes; `before`: as it was before that change. */
  versionBy(changeId: string, id: string, before: boolean): Promise<CommitVersion | null>;
}

export interface CommitVersion {
  doc: StoredDocument | undefined;
  commit: Oid;
}

export interface Lost {
  /** Null if the log has none of the cursor's commits. */
  base: Oid | null;
}

/** Of a document's own changes, behind which nobody looks for an external one: it is told twice rather than not at all. */
const LOOK_BACK = 1000;

export function createCommitFeed(parts: FeedParts): CommitFeed {
  const { index, replays, following } = parts;
  const mediaOf = createMediaOf(parts);
  /** By position. */
  const reading = new Map<number, Promise<LoggedCommit | undefined>>();

  const seenWith = createSeenWith(parts, { dropped: true });

  async function startOf([newest, ...older]: Cursor): Promise<{ seen: number; lost?: Lost }> {
    if (newest === undefined) return { seen: 0 };
    const seen = await seenWith(newest);
    if (seen !== undefined) return { seen };
    const position = older.map((commit) => index.positionOf(commit)).find((found) => found >= 0) ?? -1;
    return { seen: position + 1, lost: { base: position < 0 ? null : index.commitAt(position) } };
  }

  async function* follow(reader: Reader, signal: AbortSignal): AsyncGenerator<LoggedCommit> {
    signal.addEventListener('abort', reader.wake, { once: true });
    const breathe = createBreathe();
    try {
      while (!signal.aborted) {
        await breathe();
        // Behind the wait: the log may have been cut in it.
        if (reader.next >= index.size) {
          await reader.untilGrown();
          continue;
        }
        const position = reader.next++;
        const told = await readCommit(position);
        // Cut behind it or below it: then it is read again, or what is there now.
        if (!told) reader.next = Math.min(reader.next, position);
        else if (!signal.aborted) yield told;
      }
    } finally {
      signal.removeEventListener('abort', reader.wake);
      reader.stop();
    }
  }

  /** Undefined where the log was cut meanwhile: it comes again then. Readers that are at the same commit share it. */
  function readCommit(position: number): Promise<LoggedCommit | undefined> {
    const shared = reading.get(position);
    if (shared) return shared;
    const { cuts } = index;
    const told = toCommit(position, () => index.cuts === cuts).finally(() => reading.delete(position));
    reading.set(position, told);
    return told;
  }

  async function toCommit(position: number, isCurrent: () => boolean): Promise<LoggedCommit | undefined> {
    const commit = index.commitAt(position);
    const before = position > 0 ? index.commitAt(position - 1) : null;
    const [first, end] = [index.firstChangeOf(position), index.firstChangeOf(position + 1)];
    const { author, date, own } = following.record(commit);
    const steps: { step: Step; blob: Oid | undefined; overtakenBy: Oid | undefined }[] = [];
    for (let change = first; change < end; change++) {
      const step = stepOf(index, change);
      if (isMediaId(step.id)) continue;
      const blob = index.isGone(change) ? undefined : index.blobOf(change);
      steps.push({ step, blob, overtakenBy: overtakenBy(change, own?.replaced[0]) });
    }
    const cursor = cursorAt(index, position);
    const changes: LoggedChange[] = [];
    const breathe = createBreathe();
    for (const { step, blob, overtakenBy } of steps) {
      changes.push({ ...(await toLogged(step, blob)), overtakenBy });
      await breathe();
    }
    if (!isCurrent()) return undefined;
    return {
      commit,
      changeId: own?.changeId ?? commit,
      at: date,
      actor: own?.actor ?? 'user',
      author,
      push: following.pushedBy(commit),
      changes,
      media: () => readMedia(commit, before),
      cursor,
    };
  }

  /** `replaced` is the first commit that the change was. */
  function overtakenBy(change: number, replaced: Replaced | undefined): Oid | undefined {
    if (!replaced) return undefined;
    const base = replaced.base === null ? -1 : index.positionOf(replaced.base);
    let left = LOOK_BACK;
    for (let at = index.previousOf(change); at >= 0 && left-- > 0; at = index.previousOf(at)) {
      const position = index.positionOfChange(at);
      if (position <= base) return undefined;
      const commit = index.commitAt(position);
      if (!following.record(commit).own) return commit;
    }
    // Too far to look: it is told again as what it is now.
    return left < 0 ? index.commitAt(index.positionOfChange(change)) : undefined;
  }

  async function toLogged(step: Step, blob: Oid | undefined): Promise<Omit<LoggedChange, 'overtakenBy'>> {
    const { commit, changeId, event, date, actor, fields, place } = await tell(following, step);
    const before = async () => step.previous && (await findVersion(following, step.previous, step.id))?.doc;
    const after = async () => (step.isGone ? undefined : (await findVersion(following, commit, step.id))?.doc);
    const there = replays.replacedBy(commit) ? ((await after()) ?? (await before())) : undefined;
    const { collection = '', slug = '' } = there || place || {};
    // Several readers ask for it.
    let kind: Promise<string> | undefined;
    const readKind = async (): Promise<string> => nameOf((await before()) || undefined, await after());
    return {
      ...{ commit, changeId, event, collection, slug, id: step.id, at: date, actor, fields },
      isGone: step.isGone,
      blob,
      previous: step.previous,
      before: async () => (await before()) || undefined,
      after,
      kind: () => (kind ??= readKind()),
    };
  }

  /** The document's change of that id, or -1; a walk from its newest one, begun again if the log is cut meanwhile. */
  async function findChangeBy(changeId: string, id: string): Promise<number> {
    const breathe = createBreathe();
    const newest = (): number => {
      const document = index.findDocument(id);
      return document < 0 ? -1 : index.lastChangeOf(document);
    };
    let { cuts } = index;
    for (let change = newest(); change >= 0; ) {
      const { own } = following.record(index.commitAt(index.positionOfChange(change)));
      if (own?.changeId === changeId) return change;
      change = index.previousOf(change);
      await breathe();
      if (index.cuts === cuts) continue;
      ({ cuts } = index);
      change = newest();
    }
    return -1;
  }

  /** What people only say of them moves nothing. */
  async function readMedia(commit: Oid, before: Oid | null): Promise<MovedMedia[]> {
    const media = await mediaOf.of(commit, before);
    return [...media.values()].filter((one): one is MovedMedia => one.event !== 'media.updated');
  }

  return {
    async newest() {
      await following.ready();
      return index.size ? cursorAt(index, index.size - 1) : [];
    },
    async commits(since, signal) {
      await following.ready();
      const reader = createReader(following);
      const { seen, ...lost } = await startOf(since);
      reader.next = Math.min(reader.next, seen);
      return { commits: follow(reader, signal), ...lost };
    },
    async versionAt(commit, id, blob) {
      await following.ready();
      const position = replays.positionOf(index, commit);
      if (position < 0) return null;
      const now = index.commitAt(position);
      const known =
        blob && now === commit && following.hasBlob(blob) ? parseVersion(following.readBlob(blob)) : undefined;
      return { doc: known ?? (await findVersion(following, now, id))?.doc, commit: now };
    },
    async versionBy(changeId, id, before) {
      await following.ready();
      const change = await findChangeBy(changeId, id);
      const version = before && change >= 0 ? index.previousOf(change) : change;
      if (version < 0) return null;
      const commit = index.commitAt(index.positionOfChange(version));
      return { doc: (await findVersion(following, commit, id))?.doc, commit };
    },
  };
}
