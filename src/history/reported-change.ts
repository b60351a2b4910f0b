// A change as people and programs are told of it: from the commit where that says so, else by comparing the versions
// before and after it.
import { changedFields, changedKeys, changedLocks, eventName } from '../content/differences.ts';
import type { StoredDocument } from '../content/document.ts';
import type { Oid } from '../store/git/objects.ts';
import type { OwnRecord } from './commit-record.ts';
import type { Following } from './following.ts';
import type { DocumentPlace, LogIndex } from './log-index.ts';
import type { PushedBy } from './pushed-by.ts';
import { parseVersion } from './tree-changes.ts';

/** What to look at for one change. Taken from the index at one moment: while it is told, the index may go on. */
export interface ChangeStep {
  commit: Oid;
  id: string;
  isGone: boolean;
  /** The document's change before it; undefined where there is none, or that one took it away. */
  previous: Oid | undefined;
  /** The commit before this one on the log's line. */
  before: Oid | null;
}

export interface ReportedChange extends Partial<PushedBy> {
  commit: Oid;
  /** Of somebody else's commit its own id. */
  changeId: string;
  event: string;
  actor: OwnRecord['actor'];
  /** As the commit names its author. */
  author: { name: string; email: string };
  /** The account behind one of our own commits. */
  userId: string | undefined;
  /** ISO 8601, when its author made the change. */
  date: string;
  fields: string[];
  /** Of a commit that is not the service's: fields that it took the lock from. */
  unlocked?: string[];
  /** Where the document stands after it; of a deletion, where it stood. */
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
  const doc = blob === undefined ? undefined : parseVersion(following.readBlob(blob));
  return doc && blob ? { doc, blob } : undefined;
}

export async function toReportedChange(following: Following, step: ChangeStep): Promise<ReportedChange> {
  const { commit, id } = step;
  const { author, date, own } = following.record(commit);
  const actor = own?.actor ?? 'user';
  const said = { commit, changeId: own?.changeId ?? commit, actor, userId: own?.userId, author, date };
  const told = { ...said, ...following.pushedBy(commit) };
  // What was deleted is there if a file that waited for the id took its place.
  if (own?.documents?.id === id && own.place && (step.isGone || own.event !== 'document.deleted')) {
    return { ...told, event: own.event, fields: own.fields, place: own.place };
  }
  const docAfter = async (at: Oid | undefined) => at && (await findVersion(following, at, id))?.doc;
  const before = (await docAfter(step.previous)) || undefined;
  const after = (await docAfter(step.isGone ? undefined : commit)) || undefined;
  const stood = after ?? before;
  const place = stood && { collection: stood.collection, slug: stood.slug };
  const locks = own || !before || !after ? undefined : changedLocks(before, after);
  const unlocked = locks?.unlocked.length ? { unlocked: locks.unlocked } : {};
  const fields = fieldsOf(before, after);
  // Nothing but locks: it is called as the service calls it.
  if (locks && fields.length === 0 && before?.collection === after?.collection) {
    const names = locks.unlocked.length ? locks.unlocked : locks.locked;
    const event = locks.unlocked.length ? 'field.unlocked' : 'field.locked';
    if (names.length) return { ...told, ...unlocked, event, fields: names, place };
  }
  // A change of many documents is called what it is; of one that went along with another's, what became of it.
  const event = own && !own.documents ? own.event : eventNameOf(before, after);
  return { ...told, ...unlocked, event, fields, place };
}

/** What became of a document between two versions of it. */
export function eventNameOf(before: StoredDocument | undefined, after: StoredDocument | undefined): string {
  if (!after) return 'document.deleted';
  return before ? eventName(before, after) : 'document.created';
}

/** As our own commits name them: of a creation the keys of its data, of a deletion none. */
function fieldsOf(before: StoredDocument | undefined, after: StoredDocument | undefined): string[] {
  if (!after) return [];
  if (!before) return Object.keys(after.data);
  return [...changedKeys(before, after), ...changedFields(before.data, after.data)];
}
