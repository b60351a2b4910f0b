// A change as the API reports it: from the commit's trailers if it has them, else by comparing the versions before and
// after it.
import { changedFields, changedKeys, changedLocks, eventName } from '../content/differences.ts';
import type { StoredDocument } from '../content/document.ts';
import type { NotShown } from '../store/git/not-shown.ts';
import type { Oid } from '../store/git/objects.ts';
import { isMediaEvent, type OwnRecord } from './commit-record.ts';
import type { Following } from './following.ts';
import type { DocumentPlace, LogIndex } from './log-index.ts';
import type { PushedBy } from './pushed-by.ts';

/** The facts about one change, read from the index at one moment, because the index may change while it is reported. */
export interface ChangeStep {
  commit: Oid;
  id: string;
  isGone: boolean;
  /** The commit of the document's previous change; undefined for the first change, and after a deletion. */
  previous: Oid | undefined;
  /** The previous commit on the log's line. */
  before: Oid | null;
}

export interface ReportedChange extends Partial<PushedBy> {
  commit: Oid;
  /** For an external commit, the commit's id. */
  changeId: string;
  event: string;
  actor: OwnRecord['actor'];
  /** As the commit names its author. */
  author: { name: string; email: string };
  /** The account behind one of our own commits. */
  userId: string | undefined;
  /** When the author made the change, in ISO 8601. */
  date: string;
  fields: string[];
  /** For an external commit: the fields that it unlocked. */
  unlocked?: string[];
  /** What of external commits the change overwrote when it was put on top of them. */
  notShown?: readonly NotShown[];
  /** The document's place after the change; for a deletion, its place before. */
  place: DocumentPlace | undefined;
}

export function stepOf(index: LogIndex, change: number): ChangeStep {
  const previous = index.previousOf(change);
  const hasPrevious = previous >= 0 && !index.isGone(previous);
  const position = index.positionOfChange(change);
  return {
    commit: index.commitAt(position),
    before: position > 0 ? index.commitAt(position - 1) : null,
    id: index.idOf(index.documentOf(change)),
    isGone: index.isGone(change),
    previous: hasPrevious ? index.commitAt(index.positionOfChange(previous)) : undefined,
  };
}

export interface DocumentVersion {
  doc: StoredDocument;
  blob: Oid;
}

/** The document after a commit that changed it. */
export async function findVersion(following: Following, commit: Oid, id: string): Promise<DocumentVersion | undefined> {
  const blob = await following.blobAfter(commit, id);
  const doc = blob === undefined ? undefined : await following.versionOf(commit, blob, id);
  return doc && blob ? { doc, blob } : undefined;
}

export async function toReportedChange(following: Following, step: ChangeStep): Promise<ReportedChange> {
  const { commit, id } = step;
  const { author, date, own } = following.record(commit);
  const actor = own?.actor ?? 'user';
  const common = { commit, changeId: own?.changeId ?? commit, actor, userId: own?.userId, author, date };
  const notShown = own?.notShown.length ? { notShown: own.notShown } : {};
  const origin = { ...common, ...following.pushedBy(commit), ...notShown };
  // After a deletion the document still exists if a file that waited for the id took its place.
  if (own?.documents?.id === id && own.place && (step.isGone || own.event !== 'document.deleted')) {
    return { ...origin, event: own.event, fields: own.fields, place: own.place };
  }
  const docAfter = async (at: Oid | undefined) => at && (await findVersion(following, at, id))?.doc;
  const before = (await docAfter(step.previous)) || undefined;
  const after = (await docAfter(step.isGone ? undefined : commit)) || undefined;
  const stood = after ?? before;
  const place = stood && { collection: stood.collection, slug: stood.slug };
  const locks = own || !before || !after ? undefined : changedLocks(before, after);
  const unlocked = locks?.unlocked.length ? { unlocked: locks.unlocked } : {};
  const fields = fieldsOf(before, after);
  // Only locks changed: report the event that the service's own commits have.
  if (locks && fields.length === 0 && before?.collection === after?.collection) {
    const names = locks.unlocked.length ? locks.unlocked : locks.locked;
    const event = locks.unlocked.length ? 'field.unlocked' : 'field.locked';
    if (names.length) return { ...origin, ...unlocked, event, fields: names, place };
  }
  // A commit of many documents keeps its own event; a document that changed along with another, or with a media file,
  // gets the event of its change.
  const event = own && !own.documents && !isMediaEvent(own.event) ? own.event : eventNameOf(before, after);
  return { ...origin, ...unlocked, event, fields, place };
}

/** The event that turned one version of a document into another. */
export function eventNameOf(before: StoredDocument | undefined, after: StoredDocument | undefined): string {
  if (!after) return 'document.deleted';
  return before ? eventName(before, after) : 'document.created';
}

/** As our own commits name fields: for a creation the keys of its data, for a deletion no fields. */
function fieldsOf(before: StoredDocument | undefined, after: StoredDocument | undefined): string[] {
  if (!after) return [];
  if (!before) return Object.keys(after.data);
  return [...changedKeys(before, after), ...changedFields(before.data, after.data)];
}
