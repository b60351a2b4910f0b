// Answers lists from the view: pages are concatenated response bodies, which are never serialised anew.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ListPage, ListQuery, Viewer } from '../api.ts';
import { nameWarnings } from '../checks/query-names.ts';
import type { Document, Status } from '../document.ts';
import type { Inclusion } from '../relations/include.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import { createCompare } from '../rows/order.ts';
import type { Row } from '../rows/row.ts';
import type { SlotSet } from '../rows/slot-set.ts';
import { isSelective, selectedBy, versionFor } from './selection.ts';

/** Longer pages are streamed. */
const STREAM_ABOVE_DOCUMENTS = 200;
const STREAM_CHUNK_BYTES = 64 << 10;
/** With `fields`, documents are parsed: a chunk then takes a millisecond or two, however few bytes are left of them. */
const STREAM_CHUNK_DOCUMENTS = 64;
/** A row is sorted in the time in which so many are visited in their order. */
const VISITS_PER_SORTED_ROW = 64;
/** More rows than this are not sorted for one page, but picked from all rows in their order. */
const SORTED_ROWS = 1000;

export function listDocuments(
  view: CollectionView,
  query: ListQuery,
  viewer?: Viewer,
  inclusion?: Inclusion,
): ListPage {
  const { rows, total } = selectRows(view, query, viewer);
  const publishedOnly = viewer?.publishedOnly ?? false;
  const version = versionFor(view, query, viewer);
  const warnings = nameWarnings(view.schema, query);
  const others = [...(inclusion ? [inclusion.version] : []), ...(warnings.length > 0 ? [warnings] : [])];
  const key = JSON.stringify([query, publishedOnly, ...others]);
  const etag = `W/"${hash('sha1', `${version} ${key}`)}"`;
  const fields = query.fields && new Set(query.fields);
  const pieces = (function* (): Generator<Buffer> {
    yield Buffer.from('{"documents":[');
    let first = true;
    for (const row of rows) {
      if (!first) yield COMMA;
      first = false;
      yield bodyOf(row, fields);
      inclusion?.visit(row);
    }
    yield Buffer.from(`],"total":${total}`);
    if (inclusion) {
      yield COMMA;
      yield* inclusion.pieces();
    }
    yield Buffer.from(warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}}` : '}');
  })();
  if (rows.length <= STREAM_ABOVE_DOCUMENTS) return { total, etag, body: Buffer.concat([...pieces]) };
  return { total, etag, body: Readable.from(inChunks(pieces), { objectMode: false }) };
}

const COMMA = Buffer.from(',');

/** The order of a list, and the status and locale of the documents in it. */
export function orderOf(query: ListQuery, viewer?: Viewer) {
  const asked = query.status === 'all' ? undefined : query.status;
  const status: Status | undefined = viewer?.publishedOnly ? 'published' : asked;
  return {
    by: query.orderBy ?? 'createdAt',
    direction: query.order ?? ('desc' as const),
    status,
    locale: query.locale,
  };
}

/** The rows of a page and the number of all matches. */
export function selectRows(
  view: CollectionView,
  query: ListQuery,
  viewer?: Viewer,
): { rows: readonly Row[]; total: number } {
  const asked = query.status === 'all' ? undefined : query.status;
  if (viewer?.publishedOnly && asked && asked !== 'published') return { rows: [], total: 0 };
  const { by, direction, status } = orderOf(query, viewer);
  const offset = query.offset ?? 0;
  const limit = query.limit ?? Number.POSITIVE_INFINITY;

  if (isSelective(query)) return pageOf(view, matchingOf(view, query, viewer), query, viewer);
  if (query.tags?.length) {
    const tags = query.tags;
    const wanted = view.tags
      .withAll(tags)
      .filter((row) => (!status || row.status === status) && (!query.locale || row.locale === query.locale));
    if (wanted.length <= SORTED_ROWS) {
      const sorted = wanted.sort(createCompare(view.readerOf(by), direction));
      return { rows: sorted.slice(offset, offset + limit), total: sorted.length };
    }
    const order = view.order(by, direction, status, query.locale);
    return { rows: pick(order.from(0), tags, offset, limit), total: wanted.length };
  }
  const order = view.order(by, direction, status, query.locale);
  return { rows: firstOf(order.from(offset), limit), total: order.size };
}

function hasTags(row: Row, tags: readonly string[]): boolean {
  return tags.every((tag) => row.tags.includes(tag));
}

function matchingOf(view: CollectionView, query: ListQuery, viewer?: Viewer): SlotSet {
  const matching = selectedBy(view, query, viewer);
  const { tags } = query;
  if (!tags?.length) return matching;
  const tagged = view.filters.none();
  for (const slot of matching.slots()) if (hasTags(view.filters.rowAt(slot)!, tags)) tagged.add(slot);
  return tagged;
}

/** A page of these documents: picked from all in their order, or sorted if too many would have to be visited. */
function pageOf(
  view: CollectionView,
  wanted: SlotSet,
  query: ListQuery,
  viewer?: Viewer,
): { rows: readonly Row[]; total: number } {
  const { by, direction, status } = orderOf(query, viewer);
  const offset = query.offset ?? 0;
  const total = wanted.count();
  const end = Math.min(total, offset + (query.limit ?? Number.POSITIVE_INFINITY));
  if (offset >= end) return { rows: [], total };
  const expectedVisits = (end / total) * view.rows.size;
  const isQuick = expectedVisits <= total * VISITS_PER_SORTED_ROW && view.isReady(by, direction, status, query.locale);
  if (total <= SORTED_ROWS && !isQuick) {
    const rows = Array.from(wanted.slots(), (slot) => view.filters.rowAt(slot)!);
    return { rows: rows.sort(createCompare(view.readerOf(by), direction)).slice(offset, end), total };
  }
  const page: Row[] = [];
  let seen = 0;
  view.order(by, direction, status, query.locale).visit((place) => {
    if (wanted.has(place.slot) && seen++ >= offset) page.push(place.row);
    return seen < end;
  });
  return { rows: page, total };
}

/** A page of the rows that have all of the tags. */
function pick(rows: Iterable<Row>, tags: readonly string[], offset: number, limit: number): Row[] {
  const page: Row[] = [];
  let left = offset;
  for (const row of rows) {
    if (!hasTags(row, tags) || left-- > 0) continue;
    if (page.push(row) >= limit) break;
  }
  return page;
}

function firstOf(rows: Iterable<Row>, limit: number): Row[] {
  const page: Row[] = [];
  for (const row of rows) {
    if (page.length >= limit) break;
    page.push(row);
  }
  return page;
}

/** The document, with only the named keys of its data. */
export function bodyOf(row: Row, fields: ReadonlySet<string> | undefined): Buffer {
  if (!fields) return row.body;
  const doc = JSON.parse(row.body.toString('utf8')) as Document;
  const entries = Object.entries(doc.data).filter(([key]) => fields.has(key));
  return Buffer.from(JSON.stringify({ ...doc, data: Object.fromEntries(entries) }));
}

function* inChunks(pieces: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < STREAM_CHUNK_BYTES && waiting.length < 2 * STREAM_CHUNK_DOCUMENTS) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes) yield Buffer.concat(waiting, bytes);
}
