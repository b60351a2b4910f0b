// One commit of the log with its changes, access to their versions, and its changes of media files.
import type { StoredDocument } from '../../content/document.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Oid, Replaced } from '../../store/git/objects.ts';
import type { CommitRecord } from '../commit-record.ts';
import { createMediaOf, isMediaId, type LoggedMedia } from '../media-changes.ts';
import type { PushedBy } from '../pushed-by.ts';
import { type ChangeStep, eventNameOf, findVersion, stepOf, toReportedChange } from '../reported-change.ts';
import type { FeedChange } from './change.ts';
import type { FeedParts } from './feed-parts.ts';
import { cursorAt } from './seen.ts';

/** A commit's change to one document. */
export interface LoggedChange extends Omit<FeedChange, 'replaces' | 'user'> {
  isGone: boolean;
  /**
   * The document's newest external commit that the change was replayed on, so that earlier reports of the change are
   * older.
   */
  overtakenBy: Oid | undefined;
  /** The file after the change, if it is known without reading trees; undefined for a deletion. */
  blob: Oid | undefined;
  /** The commit of the document's previous change; undefined for the first change, and after a deletion. */
  previous: Oid | undefined;
  before(): Promise<StoredDocument | undefined>;
  after(): Promise<StoredDocument | undefined>;
  /** The event found by comparing the versions, whatever the commit's trailers say: `document.created`, ... */
  kind(): Promise<string>;
}

export type MovedMedia = LoggedMedia & { event: 'media.uploaded' | 'media.deleted' };

export interface LoggedCommit {
  commit: Oid;
  changeId: string;
  at: string;
  actor: FeedChange['actor'];
  author: CommitRecord['author'];
  /** Who pushed the commit through the service; undefined if it was not pushed. */
  push: PushedBy | undefined;
  changes: readonly LoggedChange[];
  /** Files that were added, got other bytes or were removed. */
  media(): Promise<readonly MovedMedia[]>;
  /** For a reader that continues after it later: this commit, and older ones in case the log no longer has it then. */
  cursor: Cursor;
}

/** Newest first. */
export type Cursor = readonly Oid[];

/** Changes of a document searched for an external commit; beyond that a change is reported twice rather than never. */
const LOOK_BACK = 1000;

/**
 * Undefined if the log was cut meanwhile: the caller has to read again. Readers at the same commit share one result.
 */
export function createReadCommit(parts: FeedParts): (position: number) => Promise<LoggedCommit | undefined> {
  const { index, replays, following } = parts;
  const mediaOf = createMediaOf(parts);
  /** By position. */
  const reading = new Map<number, Promise<LoggedCommit | undefined>>();

  function readCommit(position: number): Promise<LoggedCommit | undefined> {
    const shared = reading.get(position);
    if (shared) return shared;
    const { cuts } = index;
    const read = toCommit(position, () => index.cuts === cuts).finally(() => reading.delete(position));
    reading.set(position, read);
    return read;
  }

  async function toCommit(position: number, isCurrent: () => boolean): Promise<LoggedCommit | undefined> {
    const commit = index.commitAt(position);
    const before = position > 0 ? index.commitAt(position - 1) : null;
    const [first, end] = [index.firstChangeOf(position), index.firstChangeOf(position + 1)];
    const { author, date, own } = following.record(commit);
    const steps: { step: ChangeStep; blob: Oid | undefined; overtakenBy: Oid | undefined }[] = [];
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

  /** `replaced` is the change's first commit, before any replay. */
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
    // Too far to search: report the change again in its present form.
    return left < 0 ? index.commitAt(index.positionOfChange(change)) : undefined;
  }

  async function toLogged(step: ChangeStep, blob: Oid | undefined): Promise<Omit<LoggedChange, 'overtakenBy'>> {
    const { commit, changeId, event, date, actor, fields, place } = await toReportedChange(following, step);
    const before = async () => step.previous && (await findVersion(following, step.previous, step.id))?.doc;
    const after = async () => (step.isGone ? undefined : (await findVersion(following, commit, step.id))?.doc);
    const actual = replays.replacedBy(commit) ? ((await after()) ?? (await before())) : undefined;
    const { collection = '', slug = '' } = actual || place || {};
    // Several readers may call `kind`.
    let kind: Promise<string> | undefined;
    const readKind = async (): Promise<string> => eventNameOf((await before()) || undefined, await after());
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

  /** Leaves out updates of alt text or tags, which change no bytes. */
  async function readMedia(commit: Oid, before: Oid | null): Promise<MovedMedia[]> {
    const media = await mediaOf.of(commit, before);
    return [...media.values()].filter((one): one is MovedMedia => one.event !== 'media.updated');
  }

  return readCommit;
}
