// One commit of the log with its changes, their versions at hand, and what it did to media.
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

/** What a commit did to one document. */
export interface LoggedChange extends Omit<FeedChange, 'replaces' | 'user'> {
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
  actor: FeedChange['actor'];
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

/** Changes of a document to look through for an external commit; beyond them a change is reported twice rather than not. */
const LOOK_BACK = 1000;

/** Undefined if the log was cut meanwhile: the commit comes again then. Readers that are at the same commit share it. */
export function createReadCommit(parts: FeedParts): (position: number) => Promise<LoggedCommit | undefined> {
  const { index, replays, following } = parts;
  const mediaOf = createMediaOf(parts);
  /** By position. */
  const reading = new Map<number, Promise<LoggedCommit | undefined>>();

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

  async function toLogged(step: ChangeStep, blob: Oid | undefined): Promise<Omit<LoggedChange, 'overtakenBy'>> {
    const { commit, changeId, event, date, actor, fields, place } = await toReportedChange(following, step);
    const before = async () => step.previous && (await findVersion(following, step.previous, step.id))?.doc;
    const after = async () => (step.isGone ? undefined : (await findVersion(following, commit, step.id))?.doc);
    const there = replays.replacedBy(commit) ? ((await after()) ?? (await before())) : undefined;
    const { collection = '', slug = '' } = there || place || {};
    // Several readers ask for it.
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

  /** An update of alt text or tags moves no bytes. */
  async function readMedia(commit: Oid, before: Oid | null): Promise<MovedMedia[]> {
    const media = await mediaOf.of(commit, before);
    return [...media.values()].filter((one): one is MovedMedia => one.event !== 'media.updated');
  }

  return readCommit;
}
