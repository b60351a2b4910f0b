// Finds documents (by slug or id) and versions (by a commit of the log) in the index.
import { notFound, type ServiceError } from '../lib/errors.ts';
import type { Following } from './following.ts';
import type { LogIndex } from './log-index.ts';
import type { Replays } from './replays.ts';
import { type ChangeStep, stepOf } from './reported-change.ts';

export interface LookupParts {
  index: LogIndex;
  replays: Replays;
  following: Following;
  hasCollection(collection: string): boolean;
  /** The id of an existing document, by its id or slug. */
  findLive(collection: string, ref: string): string | undefined;
  isLive(id: string): boolean;
}

/** Documents and changes are numbers of the index. */
export interface HistoryLookup {
  /** The existing document, else the last deleted one. Throws 404. */
  getDocument(collection: string, ref: string): Promise<number>;
  /** Throws 404 for a commit that the log does not have. */
  positionOf(commit: string): number;
  /** The change that made the document's version at a commit. Throws 404 if the document did not exist then. */
  changeAt(document: number, commit: string): number;
  /** The document's newest change, at this one or before, that is not a deletion; -1 if none exists. */
  lastPresent(change: number): number;
  /** The steps that made the version at a commit, and the document's last version. Throws 404. */
  stepsToRestore(collection: string, ref: string, commit: string): { wanted: ChangeStep; last: ChangeStep };
}

const OID = /^[0-9a-f]{40}$/;

export function createLookup({ index, replays, following, ...parts }: LookupParts): HistoryLookup {
  /** The existing document, then the deleted ones that it may mean, the last deletion first. */
  function* findDocuments(collection: string, ref: string): Generator<number> {
    const live = parts.findLive(collection, ref);
    if (live !== undefined) {
      const document = index.findDocument(live);
      if (document >= 0) yield document;
    }
    for (const { change, place } of index.graves()) {
      if (place.collection !== collection) continue;
      const document = index.documentOf(change);
      const id = index.idOf(document);
      if ((place.slug === ref || id === ref) && !parts.isLive(id)) yield document;
    }
  }

  async function getDocument(collection: string, ref: string): Promise<number> {
    if (!parts.hasCollection(collection)) throw notFound(`collection "${collection}"`);
    await following.ready();
    const [document] = findDocuments(collection, ref);
    if (document === undefined) throw notFound(`document "${ref}" in ${collection}`);
    return document;
  }

  /** Whether the change was made by the commit at the position. */
  function isMadeAt(change: number, position: number): boolean {
    return change >= 0 && index.positionOfChange(change) === position;
  }

  /**
   * Among the documents that have had the slug, the one that a commit is about: the one that it changed, else the one
   * that existed then. So restoring a deleted document whose slug is taken is refused for that reason, and does not
   * restore an old version of the document that has the slug now.
   */
  function findRestorable(collection: string, ref: string, position: number): number | undefined {
    const documents = [...findDocuments(collection, ref)];
    const at = (document: number): number => index.changeAt(document, position);
    return (
      documents.find((document) => isMadeAt(at(document), position)) ??
      documents.find((document) => at(document) >= 0 && !index.isGone(at(document)))
    );
  }

  function positionOf(commit: string): number {
    const position = OID.test(commit) ? replays.positionOf(index, commit) : -1;
    if (position < 0) throw notFound(`commit "${commit}" of the log`);
    return position;
  }

  function changeAt(document: number, commit: string): number {
    const change = index.changeAt(document, positionOf(commit));
    if (change < 0 || index.isGone(change)) throw noSuchVersion(commit);
    return change;
  }

  function lastPresent(change: number): number {
    let at = change;
    while (at >= 0 && index.isGone(at)) at = index.previousOf(at);
    return at;
  }

  function stepsToRestore(collection: string, ref: string, commit: string): { wanted: ChangeStep; last: ChangeStep } {
    const position = positionOf(commit);
    const document = findRestorable(collection, ref, position);
    if (document === undefined) throw noSuchVersion(commit);
    const at = index.changeAt(document, position);
    const isDeletion = isMadeAt(at, position) && index.isGone(at);
    const present = isDeletion ? lastPresent(at) : changeAt(document, commit);
    if (present < 0) throw noSuchVersion(commit);
    return { wanted: stepOf(index, present), last: stepOf(index, lastPresent(index.lastChangeOf(document))) };
  }

  return { getDocument, positionOf, changeAt, lastPresent, stepsToRestore };
}

export function noSuchVersion(commit: string): ServiceError {
  return notFound(`a version of the document at commit ${commit}`);
}
