// The log for people and programs: a document's history, its versions and their differences, deleted documents, and
// every change since a commit. It only reads; the content service restores.

import { changedFields, REPORTED_KEYS } from '../content/differences.ts';
import type { Status, StoredDocument } from '../content/document.ts';
import { titleOf } from '../content/search-entry.ts';
import { toBodyBytes } from '../content/stored.ts';
import { type Account, accountNow } from '../lib/account.ts';
import { notFound } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { Oid } from '../store/git/objects.ts';
import { type CommitFeed, createCommitFeed } from './feed/commit-feed.ts';
import { createFeed, type Feed } from './feed/feed.ts';
import type { FeedParts } from './feed/feed-parts.ts';
import { createLookup, type LookupParts, noSuchVersion } from './lookup.ts';
import type { PushedBy } from './pushed-by.ts';
import {
  type ChangeStep,
  type DocumentVersion,
  findVersion,
  type ReportedChange,
  stepOf,
  toReportedChange,
} from './reported-change.ts';

export interface HistoryEntry extends Omit<ReportedChange, 'place' | 'userId'> {
  /** The account that made the change, in its present state. */
  user: Account | null;
}

export interface DeletedDocument extends Partial<PushedBy> {
  id: string;
  collection: string;
  slug: string;
  title: string;
  /** What it was; absent if its last version cannot be read. */
  status?: Status;
  publishAt?: string;
  deletedAt: string;
  /** The author of the deletion. */
  deletedBy: { name: string; email: string };
  /** The account that deleted it, in its present state. */
  user: Account | null;
  /** The deletion. */
  commit: Oid;
}

export interface FieldDifference {
  field: string;
  /** Absent if that side does not have the field. */
  before?: unknown;
  after?: unknown;
}

export interface HistoryPage {
  /** All entries if absent. */
  limit?: number | undefined;
  offset: number;
}

/** The version to restore, and the last version of the document, which may be deleted. */
export interface Restorable {
  commit: Oid;
  version: StoredDocument;
  last: StoredDocument;
}

export interface HistoryService extends Feed, CommitFeed {
  /** Throws 404 if the collection never had such a document. */
  check(collection: string, ref: string): Promise<void>;
  history(collection: string, ref: string, page: HistoryPage): Promise<{ entries: HistoryEntry[]; total: number }>;
  /** The document as of a commit of the log. Throws 404 if the document did not exist then. */
  version(collection: string, ref: string, commit: string): Promise<{ body: Buffer; etag: string }>;
  diff(
    collection: string,
    ref: string,
    between: { from?: string | undefined; to?: string | undefined },
  ): Promise<{ from: Oid | null; to: Oid; fields: FieldDifference[] }>;
  /** A deletion stands for the version that it deleted. */
  restorable(collection: string, ref: string, commit: string): Promise<Restorable>;
  trash(page: HistoryPage): Promise<{ documents: DeletedDocument[]; total: number }>;
}

export interface HistoryParts extends FeedParts, LookupParts {}

export function createHistory(parts: HistoryParts): HistoryService {
  const { index, following } = parts;
  const { getDocument, positionOf, changeAt, lastPresent, stepsToRestore } = createLookup(parts);

  async function versionAfter({ commit, id }: ChangeStep): Promise<DocumentVersion> {
    const found = await findVersion(following, commit, id);
    if (!found) throw noSuchVersion(commit);
    return found;
  }

  return {
    ...createFeed(parts),
    ...createCommitFeed(parts),
    check: async (collection, ref) => void (await getDocument(collection, ref)),
    async history(collection, ref, { limit = Number.POSITIVE_INFINITY, offset }) {
      const document = await getDocument(collection, ref);
      let change = index.lastChangeOf(document);
      for (let skipped = 0; skipped < offset && change >= 0; skipped++) change = index.previousOf(change);
      const steps: ChangeStep[] = [];
      for (; change >= 0 && steps.length < limit; change = index.previousOf(change)) steps.push(stepOf(index, change));
      const total = index.countOf(document);
      const breathe = createBreathe();
      const entries: HistoryEntry[] = [];
      for (const step of steps) {
        const { place: _, userId, ...entry } = await toReportedChange(following, step);
        entries.push({ ...entry, user: accountNow(parts.findAccount, userId) });
        await breathe();
      }
      return { entries, total };
    },
    async version(collection, ref, commit) {
      const document = await getDocument(collection, ref);
      const { doc, blob } = await versionAfter(stepOf(index, changeAt(document, commit)));
      return { body: toBodyBytes(doc), etag: `"${blob}"` };
    },
    async diff(collection, ref, between) {
      const document = await getDocument(collection, ref);
      const to = between.to === undefined ? lastPresent(index.lastChangeOf(document)) : changeAt(document, between.to);
      if (to < 0) throw notFound(`a version of ${collection}/${ref}`);
      const from = between.from === undefined ? lastPresent(index.previousOf(to)) : changeAt(document, between.from);
      const named = (commit: string | undefined): Oid | undefined =>
        commit === undefined ? undefined : index.commitAt(positionOf(commit));
      const [older, newer] = [from < 0 ? undefined : stepOf(index, from), stepOf(index, to)];
      const ends = { from: named(between.from) ?? older?.commit ?? null, to: named(between.to) ?? newer.commit };
      const before = older && (await versionAfter(older)).doc;
      return { ...ends, fields: compare(before, (await versionAfter(newer)).doc) };
    },
    async restorable(collection, ref, commit) {
      await getDocument(collection, ref);
      for (;;) {
        const { wanted, last } = stepsToRestore(collection, ref, commit);
        const { doc: version } = await versionAfter(wanted);
        const { doc: lastVersion } = await versionAfter(last);
        // An external commit may have come before the deletion in the log meanwhile.
        const now = stepsToRestore(collection, ref, commit);
        if (now.wanted.commit !== wanted.commit || now.last.commit !== last.commit) continue;
        return { commit: wanted.commit, version, last: lastVersion };
      }
    },
    async trash({ limit = Number.POSITIVE_INFINITY, offset }) {
      await following.ready();
      const found = [...index.graves()].filter(
        ({ change, place }) =>
          parts.hasCollection(place.collection) && !parts.isLive(index.idOf(index.documentOf(change))),
      );
      const shown = found.slice(offset, offset + limit).map(({ change, place }) => {
        const present = lastPresent(change);
        return { deletion: stepOf(index, change), last: present < 0 ? undefined : stepOf(index, present), place };
      });
      const breathe = createBreathe();
      const documents: DeletedDocument[] = [];
      for (const { deletion, last, place } of shown) {
        const { commit, id } = deletion;
        const { author, date, own } = following.record(commit);
        const user = accountNow(parts.findAccount, own?.userId);
        const doc = last && (await findVersion(following, last.commit, id))?.doc;
        const { collection, slug } = doc ?? place;
        const by = following.pushedBy(commit);
        const about = {
          id,
          collection,
          slug,
          title: titleOf(doc?.data ?? {}, slug, parts.titleFieldOf(collection)),
        };
        documents.push({ ...about, ...publicityOf(doc), deletedAt: date, deletedBy: author, user, commit, ...by });
        await breathe();
      }
      return { documents, total: found.length };
    },
  };
}

function publicityOf(doc: StoredDocument | undefined): Pick<DeletedDocument, 'status' | 'publishAt'> {
  if (!doc) return {};
  return doc.publishAt === undefined ? { status: doc.status } : { status: doc.status, publishAt: doc.publishAt };
}

/** The document's own keys first, then those of its data. */
function compare(before: StoredDocument | undefined, after: StoredDocument): FieldDifference[] {
  const keys = ['collection', ...REPORTED_KEYS] as const;
  const ownKeys = keys.filter((key) => before?.[key] !== after[key]).map((key) => toDifference(key, before, after));
  const fields = changedFields(before?.data ?? {}, after.data).map((key) =>
    toDifference(key, before?.data, after.data),
  );
  return [...ownKeys, ...fields];
}

function toDifference(field: string, before: object | undefined, after: object): FieldDifference {
  const sideOf = (side: object | undefined): unknown =>
    side && Object.hasOwn(side, field) ? (side as Record<string, unknown>)[field] : undefined;
  const [was, is] = [sideOf(before), sideOf(after)];
  return { field, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
}
