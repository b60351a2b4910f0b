// The documents as the operations of one atomic bulk request leave them, one after another, on top of the pending state.
// Nothing of it is accepted before the request's only commit is. Pure in memory.
import { conflict } from '../../lib/errors.ts';
import type { StoredDocument } from '../document.ts';
import type { PendingState } from '../pending.ts';
import { toValueKey } from '../rows/value-index.ts';

interface Changed {
  before: StoredDocument | undefined;
  after: StoredDocument | undefined;
}

export interface Overlay {
  /** The pending state with the changes so far; it takes no commits. */
  state: Omit<PendingState, 'push' | 'prepareGroups'>;
  findTaken(doc: { collection: string; slug: string }): string | undefined;
  apply(change: Changed): void;
  /** Each document once, in an order in which a slug is free before another document gets it. */
  changes(): Changed[];
}

/** `blobOf` returns the blob id that a document's file would have. */
export function createOverlay(
  pending: PendingState,
  findTaken: Overlay['findTaken'],
  blobOf: (doc: StoredDocument) => string,
): Overlay {
  const docs = new Map<string, Changed>();
  /** By place: the id that is there, or undefined if the place is free now. */
  const places = new Map<string, string | undefined>();
  const placeOf = (collection: string, slug: string): string => `${collection}/${slug}`;

  function withEtag(doc: StoredDocument): { doc: StoredDocument; etag: string } {
    return {
      doc,
      get etag() {
        return blobOf(doc);
      },
    };
  }

  function* among(
    found: Iterable<StoredDocument>,
    collection: string,
    isOne: (doc: StoredDocument) => boolean,
  ): Generator<StoredDocument> {
    for (const doc of found) if (!docs.has(doc.id)) yield doc;
    for (const { after } of docs.values()) if (after?.collection === collection && isOne(after)) yield after;
  }

  const findById = (collection: string, id: string) => {
    const changed = docs.get(id);
    if (!changed) return pending.findById(collection, id);
    return changed.after?.collection === collection ? withEtag(changed.after) : undefined;
  };

  return {
    state: {
      findById,
      findBySlug(collection, slug) {
        const place = placeOf(collection, slug);
        if (!places.has(place)) return pending.findBySlug(collection, slug);
        const id = places.get(place);
        return id === undefined ? undefined : findById(collection, id);
      },
      statusOf(collection, slug) {
        const place = placeOf(collection, slug);
        if (!places.has(place)) return pending.statusOf(collection, slug);
        return docs.get(places.get(place) ?? '')?.after?.status;
      },
      *underWay() {
        for (const one of pending.underWay()) if (!docs.has(one[0])) yield one;
        for (const [id, { after }] of docs) yield [id, after];
      },
      hasId: (id) => docs.has(id) || pending.hasId(id),
      translationsOf: (collection, slug) => [
        ...among(pending.translationsOf(collection, slug), collection, (doc) => doc.translationOf === slug),
      ],
      inGroup: (collection, group) =>
        among(pending.inGroup(collection, group), collection, (doc) => doc.translationGroup === group),
      withValue(collection, field, value) {
        const key = toValueKey(value);
        const found = pending.withValue(collection, field, value);
        return among(found, collection, (doc) => toValueKey(doc.data[field]) === key);
      },
    },
    findTaken(doc) {
      const place = placeOf(doc.collection, doc.slug);
      if (!places.has(place)) return findTaken(doc);
      return places.get(place) === undefined ? undefined : `content/${place}.json`;
    },
    apply({ before, after }) {
      const { id } = (after ?? before)!;
      docs.set(id, { before: docs.has(id) ? docs.get(id)!.before : before, after });
      if (before && before.slug !== after?.slug) places.set(placeOf(before.collection, before.slug), undefined);
      if (after) places.set(placeOf(after.collection, after.slug), id);
    },
    changes: () => inOrder([...docs.values()].filter(({ before, after }) => before ?? after)),
  };
}

/** Deletions first; a document gets a slug after the one that leaves it. */
function inOrder(changes: readonly Changed[]): Changed[] {
  const placeOf = ({ collection, slug }: StoredDocument): string => `${collection}/${slug}`;
  const ordered = changes.filter(({ after }) => !after);
  let waiting = changes.filter(({ after }) => after);
  while (waiting.length > 0) {
    const leaving = new Set(
      waiting.flatMap(({ before, after }) => (before && before.slug !== after!.slug ? [placeOf(before)] : [])),
    );
    const ready = waiting.filter(({ after }) => !leaving.has(placeOf(after!)));
    if (ready.length === 0) throw conflict('documents cannot exchange their slugs in one atomic request');
    ordered.push(...ready);
    waiting = waiting.filter((change) => !ready.includes(change));
  }
  return ordered;
}
