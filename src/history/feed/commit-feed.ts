// Every commit of the log in order, for reactions to each one: webhooks, revalidation, deploys. Unlike the feed of
// changes it offers the versions before and after, and the changes of media files.
import type { StoredDocument } from '../../content/document.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import { findVersion } from '../reported-change.ts';
import type { FeedParts } from './feed-parts.ts';
import { type Cursor, createReadCommit, type LoggedCommit } from './logged-commit.ts';
import { createReader, createSeenWith, cursorAt, type FeedReader } from './seen.ts';

export interface CommitFeed {
  /** The cursor of the newest commit; empty in an empty repository. @throws 503 if the log cannot be read. */
  newest(): Promise<Cursor>;
  /**
   * Commits after the cursor (all commits if it is empty), then each one as it becomes durable, until the signal
   * aborts. If the log no longer has the cursor's newest commit, the feed continues from where that line and the log
   * part, and a replayed commit comes again with the same `changeId`. `lost` is set if that place is not known exactly:
   * then commits after `lost.base` come again, including some that were seen.
   */
  commits(since: Cursor, signal: AbortSignal): Promise<{ commits: AsyncIterable<LoggedCommit>; lost?: Lost }>;
  /**
   * A document after a commit of the log, or after the commit that replaced it; null if the log has neither any more.
   * `blob`, if known, saves the search for the file.
   */
  versionAt(commit: Oid, id: string, blob?: Oid): Promise<CommitVersion | null>;
  /** The same by change id, which stays the same in a replay; `before`: the document before that change. */
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

export function createCommitFeed(parts: FeedParts): CommitFeed {
  const { index, replays, following } = parts;
  const readCommit = createReadCommit(parts);
  const seenWith = createSeenWith(parts, { dropped: true });

  async function startOf([newest, ...older]: Cursor): Promise<{ seen: number; lost?: Lost }> {
    if (newest === undefined) return { seen: 0 };
    const seen = await seenWith(newest);
    if (seen !== undefined) return { seen };
    const position = older.map((commit) => index.positionOf(commit)).find((found) => found >= 0) ?? -1;
    return { seen: position + 1, lost: { base: position < 0 ? null : index.commitAt(position) } };
  }

  async function* follow(reader: FeedReader, signal: AbortSignal): AsyncGenerator<LoggedCommit> {
    signal.addEventListener('abort', reader.wake, { once: true });
    const breathe = createBreathe();
    try {
      while (!signal.aborted) {
        await breathe();
        // Checked after the wait, during which the log may have been cut, and the signal aborted with nobody to wake.
        if (signal.aborted) break;
        if (reader.next >= index.size) {
          await reader.untilGrown();
          continue;
        }
        const position = reader.next++;
        const read = await readCommit(position);
        // The log was cut: read the same position again, or the place of the cut if it is below.
        if (!read) reader.next = Math.min(reader.next, position);
        else if (!signal.aborted) yield read;
      }
    } finally {
      signal.removeEventListener('abort', reader.wake);
      reader.stop();
    }
  }

  /**
   * The document's change with that id, or -1. Walks back from the newest one; starts again if the log is cut
   * meanwhile.
   */
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
        blob && now === commit && following.hasBlob(blob) ? await following.versionOf(commit, blob, id) : undefined;
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
