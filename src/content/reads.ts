// The reading half of the content service, served from the view alone: no disk, no promise.
import { notFound } from '../lib/errors.ts';
import type { ContentService, DocumentRef, Viewer } from './api.ts';
import { checkLocales } from './checks/query-names.ts';
import { toEtag } from './conditions.ts';
import { refusePublic } from './lists/drafts-only.ts';
import { createCountFacets } from './lists/facets.ts';
import { listDocuments } from './lists/list.ts';
import { createPrepareList } from './lists/prepare-list.ts';
import { type FindTexts, prepareTexts } from './lists/selection.ts';
import { createInclusion, INCLUDED, includeIn } from './relations/include.ts';
import type { CollectionView } from './rows/collection-view.ts';
import { type Row, toStored } from './rows/row.ts';
import type { ContentView } from './rows/view.ts';
import { metaOf } from './stored.ts';

export type ContentReads = Pick<
  ContentService,
  | 'checkCollection'
  | 'list'
  | 'prepareList'
  | 'facets'
  | 'find'
  | 'get'
  | 'included'
  | 'checkDocument'
  | 'stored'
  | 'each'
  | 'fieldMeta'
>;

/** Throws 404 for a collection that the configuration does not name. */
export function createGetCollection(view: Pick<ContentView, 'collection'>): (name: string) => CollectionView {
  return (name) => {
    const found = view.collection(name);
    if (!found) throw notFound(`collection "${name}"`);
    return found;
  };
}

export function createReads(view: ContentView, findTexts: FindTexts): ContentReads {
  const getCollection = createGetCollection(view);
  const prepareList = createPrepareList();
  const countFacets = createCountFacets();

  function findRow(collection: string, ref: DocumentRef, viewer?: Viewer): Row | undefined {
    getCollection(collection);
    const row =
      'slug' in ref
        ? view.bySlug(collection, ref.slug)
        : 'id' in ref
          ? ofCollection(view.byId(ref.id), collection)
          : (ofCollection(view.byId(ref.idOrSlug), collection) ?? view.bySlug(collection, ref.idOrSlug));
    return row && viewer?.publishedOnly && row.status !== 'published' ? undefined : row;
  }

  function getRow(collection: string, ref: DocumentRef, viewer?: Viewer): Row {
    const row = findRow(collection, ref, viewer);
    if (!row) throw notFound(`document "${nameOf(ref)}" in ${collection}`);
    return row;
  }

  return {
    checkCollection: (collection) => void getCollection(collection),
    list(collection, query, viewer) {
      const found = getCollection(collection);
      checkLocales(found.schema, query);
      const inclusion = query.include && createInclusion(view, collection, query.include, viewer);
      return listDocuments(found, query, viewer, inclusion);
    },
    prepareList(collection, query, viewer) {
      const found = getCollection(collection);
      checkLocales(found.schema, query);
      if (query.q === undefined) return prepareList(found, query, viewer);
      return prepareTexts(findTexts, found, query, viewer).then(() => prepareList(found, query, viewer));
    },
    async facets(collection, query, viewer) {
      const found = getCollection(collection);
      checkLocales(found.schema, query);
      await prepareTexts(findTexts, found, query, viewer);
      return countFacets(found, query, viewer);
    },
    find(collection, ref, viewer) {
      const row = findRow(collection, ref, viewer);
      return row && { body: row.body, etag: toEtag(row.etag) };
    },
    get(collection, ref, viewer, include) {
      const row = getRow(collection, ref, viewer);
      if (include) return includeIn(row, createInclusion(view, collection, include, viewer));
      return { body: row.body, etag: toEtag(row.etag) };
    },
    included(collection, include, data, viewer) {
      getCollection(collection);
      const inclusion = createInclusion(view, collection, include, viewer);
      for (const one of data) inclusion.visitData(one);
      return String(Buffer.concat([...inclusion.pieces()])).slice(INCLUDED.length);
    },
    checkDocument(collection, ref, actor) {
      const row = getRow(collection, ref);
      if (actor.draftsOnly) refusePublic(actor, toStored(row));
    },
    stored(collection, ref) {
      const row = findRow(collection, ref);
      return row && toStored(row);
    },
    *each(collection) {
      const rows = [...getCollection(collection).rows.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
      for (const row of rows) yield toStored(row);
    },
    fieldMeta: (collection, slug, viewer) => metaOf(getRow(collection, { slug }, viewer).meta),
  };
}

function ofCollection(row: Row | undefined, collection: string): Row | undefined {
  return row?.collection === collection ? row : undefined;
}

/** A document's name in messages. */
export function nameOf(ref: DocumentRef): string {
  return 'slug' in ref ? ref.slug : 'id' in ref ? ref.id : ref.idOrSlug;
}
