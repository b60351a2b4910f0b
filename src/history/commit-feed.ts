// Every commit of the log in its order, for what reacts to each of them: webhooks, revalidation, deploys. Unlike the feed
// of changes it has the versions before and after at hand, and what happened to media files.
import type { StoredDocument } from '../content/document.ts';
import { createBreathe } from '../lib/slices.ts';
import type { Oid } from '../store/objects.ts';
import type { CommitRecord } from './commit-record.ts';
import type { Change, FeedParts } from './feed.ts';
import { createMediaOf, isMediaId, type LoggedMedia } from './media-changes.ts';
import type { PushedBy } from './pushed-by.ts';
import { findVersion, nameOf, type Step, stepOf, tell } from './tell.ts';
import { parseVersion } from './tree-changes.ts';

/** What a commit did to one document. */
export interface LoggedChange extends Omit<Change, 'replaces' | 'user'> {
  isGone: boolean;
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
}

export interface CommitFeed {
  /** The newest commit; null in an empty repository. @throws 503 where the log cannot be read. */
  newest(): Promise<Oid | null>;
  /**
   * Commits behind `since` (null: all of them), and then each one as it becomes durable, until the signal. One that was
   * replayed on somebody else's comes again, with the same `changeId`. Undefined where the log does not know `since`
   * and nothing that it stood on.
   */
  commits(since: Oid | null, signal: AbortSignal): Promise<AsyncIterable<LoggedCommit> | undefined>;
  /**
   * A document as a commit of the log left it, or what that commit is now: null where the log has neither any more.
   * `blob`, where it is known, saves looking for it.
   */
  versionAt(commit: Oid, id: string, blob?: Oid): Promise<{ doc: StoredDocument | undefined; commit: Oid } | null>;
}

/** A cursor may be on a line that somebody force-pushed away; further back than this it is not looked for. */
const MAX_STEPS_BACK = 100_000;

export function createCommitFeed(parts: FeedParts): CommitFeed {
  const { index, replays, following } = parts;
  const mediaOf = createMediaOf(parts);

  /** How many commits somebody has seen who has seen this one; undefined where nobody can say. */
  async function seenWith(since: Oid | null): Promise<number | undefined> {
    const breathe = createBreathe();
    let commit = since;
    for (let steps = 0; commit !== null && steps < MAX_STEPS_BACK; steps++) {
      const seen = replays.seenWith(index, commit);
      if (seen !== undefined) return seen;
      if (!following.hasRecord(commit)) return undefined;
      commit = following.record(commit).parents[0] ?? null;
      await breathe();
    }
    return commit === null && since === null ? 0 : undefined;
  }

  async function* follow(from: number, signal: AbortSignal): AsyncGenerator<LoggedCommit> {
    let next = from;
    let wake: () => void = () => undefined;
    const stop = following.follow({
      grown: () => wake(),
      cut: (size) => (next = Math.min(next, size)),
    });
    const onAbort = (): void => wake();
    signal.addEventListener('abort', onAbort, { once: true });
    const breathe = createBreathe();
    try {
      while (!signal.aborted) {
        if (next >= index.size) {
          await new Promise<void>((resolve) => (wake = resolve));
          continue;
        }
        await breathe();
        const position = next++;
        const { cuts } = index;
        const told = await toCommit(position, () => index.cuts === cuts);
        if (told && !signal.aborted) yield told;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      stop();
    }
  }

  /** Undefined where the log was cut meanwhile: it comes again then. */
  async function toCommit(position: number, isCurrent: () => boolean): Promise<LoggedCommit | undefined> {
    const commit = index.commitAt(position);
    const before = position > 0 ? index.commitAt(position - 1) : null;
    const [first, end] = [index.firstChangeOf(position), index.firstChangeOf(position + 1)];
    const steps: { step: Step; blob: Oid | undefined }[] = [];
    for (let change = first; change < end; change++) {
      const step = stepOf(index, change);
      if (isMediaId(step.id)) continue;
      steps.push({ step, blob: index.isGone(change) ? undefined : index.blobOf(change) });
    }
    const { author, date, own } = following.record(commit);
    const changes: LoggedChange[] = [];
    const breathe = createBreathe();
    for (const { step, blob } of steps) {
      changes.push(await toLogged(step, blob));
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
    };
  }

  async function toLogged(step: Step, blob: Oid | undefined): Promise<LoggedChange> {
    const { commit, changeId, event, date, actor, fields, place } = await tell(following, step);
    const before = async () => step.previous && (await findVersion(following, step.previous, step.id))?.doc;
    const after = async () => (step.isGone ? undefined : (await findVersion(following, commit, step.id))?.doc);
    const there = replays.replacedBy(commit) ? ((await after()) ?? (await before())) : undefined;
    const { collection = '', slug = '' } = there || place || {};
    return {
      ...{ commit, changeId, event, collection, slug, id: step.id, at: date, actor, fields },
      isGone: step.isGone,
      blob,
      previous: step.previous,
      before: async () => (await before()) || undefined,
      after,
      kind: async () => nameOf((await before()) || undefined, await after()),
    };
  }

  /** What people only say of them moves nothing. */
  async function readMedia(commit: Oid, before: Oid | null): Promise<MovedMedia[]> {
    const media = await mediaOf.of(commit, before);
    return [...media.values()].filter((one): one is MovedMedia => one.event !== 'media.updated');
  }

  return {
    async newest() {
      await following.ready();
      return index.head ?? null;
    },
    async commits(since, signal) {
      await following.ready();
      const seen = await seenWith(since);
      return seen === undefined ? undefined : follow(seen, signal);
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
  };
}
