// The documents as the last accepted write left them, while their commits are on the way to the disk. Decisions look
// here before they look at the view, and note what they saw (lib/queues/decisions.ts); readers never look here.
import type { Decisions, Unsettled } from '../lib/queues/decisions.ts';
import type { Status, StoredDocument } from './document.ts';
import { toStored } from './rows/row.ts';
import {
  createValueIndex,
  GROUP,
  readGroup,
  readUnique,
  SOURCE,
  toValueKey,
  type ValueIndex,
} from './rows/value-index.ts';
import type { ContentView } from './rows/view.ts';

/** A document's place: what is there once the writes under way are durable. */
interface PendingDocument {
  doc: StoredDocument | undefined;
  etag: string;
  settled: boolean;
  change: Unsettled;
}

export interface PendingChange {
  /** The view shows the change now. */
  settle(): void;
  /** What `after` has become after the change was replayed on an external commit. */
  replace(after: StoredDocument, etag: string): void;
  /** The change did not happen. Undo the newest change first. */
  undo(): void;
}

export interface PendingState {
  findBySlug(collection: string, slug: string): { doc: StoredDocument; etag: string } | undefined;
  statusOf(collection: string, slug: string): Status | undefined;
  findById(collection: string, id: string): { doc: StoredDocument; etag: string } | undefined;
  hasId(id: string): boolean;
  translationsOf(collection: string, slug: string): StoredDocument[];
  /** Documents of a group of translations, parsed one by one. */
  inGroup(collection: string, group: string): Iterable<StoredDocument>;
  /** Documents with a value of a unique field, parsed one by one. */
  withValue(collection: string, field: string, value: unknown): Iterable<StoredDocument>;
  /** Every document whose change is under way, undefined for a deletion. */
  underWay(): Iterable<[id: string, doc: StoredDocument | undefined]>;
  /** Call it before decisions that ask for groups: undefined if they can be answered at once. */
  prepareGroups(collection: string): Promise<void> | undefined;
  /** Notes what a write left: `before` is gone from its place, `after` is at its own. */
  push(before: StoredDocument | undefined, after: StoredDocument | undefined, etag: string): PendingChange;
}

/** `isClaimed` returns true if a file that is not shown has the id. */
export function createPendingState(
  view: ContentView,
  { begin }: Pick<Decisions, 'begin'>,
  isClaimed = (_id: string) => false,
  unique: Pick<ValueIndex, 'idsOf'> = createValueIndex(view, readUnique),
  groups: Pick<ValueIndex, 'idsOf' | 'prepare'> = createValueIndex(view, readGroup),
): PendingState {
  const places = new Map<string, PendingDocument>();
  const ids = new Map<string, PendingDocument>();
  const placeOf = (collection: string, slug: string): string => `${collection}/${slug}`;

  function set(
    map: Map<string, PendingDocument>,
    key: string,
    entry: PendingDocument,
  ): Pick<PendingChange, 'settle' | 'undo'> {
    const previous = map.get(key);
    map.set(key, entry);
    return {
      settle() {
        entry.settled = true;
        entry.doc = undefined;
        if (map.get(key) === entry) map.delete(key);
      },
      undo() {
        if (map.get(key) !== entry) return;
        if (previous && !previous.settled) map.set(key, previous);
        else map.delete(key);
      },
    };
  }

  function see(entry: PendingDocument | undefined): PendingDocument | undefined {
    entry?.change.see();
    return entry;
  }

  function* among(
    shown: readonly string[],
    collection: string,
    isOne: (doc: StoredDocument) => boolean,
  ): Generator<StoredDocument> {
    for (const id of shown) {
      const row = see(ids.get(id)) ? undefined : view.byId(id);
      if (row) yield toStored(row);
    }
    for (const entry of ids.values()) if (isIn(entry, collection, isOne)) yield see(entry)!.doc!;
  }

  return {
    findBySlug(collection, slug) {
      const entry = see(places.get(placeOf(collection, slug)));
      if (entry) return entry.doc && { doc: entry.doc, etag: entry.etag };
      const row = view.bySlug(collection, slug);
      return row && { doc: toStored(row), etag: row.etag };
    },
    statusOf(collection, slug) {
      const entry = see(places.get(placeOf(collection, slug)));
      return (entry ? entry.doc : view.bySlug(collection, slug))?.status;
    },
    findById(collection, id) {
      const entry = see(ids.get(id));
      if (entry) return entry.doc?.collection === collection ? { doc: entry.doc, etag: entry.etag } : undefined;
      const row = view.byId(id);
      return row?.collection === collection ? { doc: toStored(row), etag: row.etag } : undefined;
    },
    hasId: (id) => see(ids.get(id)) !== undefined || view.byId(id) !== undefined || isClaimed(id),
    translationsOf: (collection, slug) => [
      ...among(groups.idsOf(collection, SOURCE, slug), collection, (doc) => doc.translationOf === slug),
    ],
    inGroup: (collection, group) =>
      among(groups.idsOf(collection, GROUP, group), collection, (doc) => doc.translationGroup === group),
    withValue(collection, field, value) {
      const key = toValueKey(value);
      return among(unique.idsOf(collection, field, value), collection, (doc) => toValueKey(doc.data[field]) === key);
    },
    *underWay() {
      for (const [id, entry] of ids) yield [id, see(entry)!.doc];
    },
    prepareGroups: groups.prepare,
    push(before, after, etag) {
      const change = begin();
      const entry: PendingDocument = { doc: after, etag, settled: false, change };
      const slug = after?.slug;
      const changes: Pick<PendingChange, 'settle' | 'undo'>[] = [];
      if (before && (!after || before.slug !== after.slug)) {
        const gone: PendingDocument = { doc: undefined, etag: '', settled: false, change };
        changes.push(set(places, placeOf(before.collection, before.slug), gone));
      }
      if (after) changes.push(set(places, placeOf(after.collection, after.slug), entry));
      changes.push(set(ids, (after ?? before)!.id, entry));
      return {
        settle() {
          for (const one of changes) one.settle();
          change.settle();
        },
        replace(doc, newEtag) {
          change.change();
          const moved = doc.slug !== slug;
          Object.assign(entry, { doc: entry.settled ? undefined : doc, etag: newEtag });
          // Another document has its old place, and lookups there find that document from now on.
          if (!moved || entry.settled) return;
          places.delete(placeOf(doc.collection, slug!));
          changes.push(set(places, placeOf(doc.collection, doc.slug), entry));
        },
        undo() {
          for (const one of changes.reverse()) one.undo();
          change.fail();
        },
      };
    },
  };
}

function isIn({ doc }: PendingDocument, collection: string, isOne: (doc: StoredDocument) => boolean): boolean {
  return doc?.collection === collection && isOne(doc);
}
