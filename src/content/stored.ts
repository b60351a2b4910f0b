// The file format `content/<collection>/<slug>.json` (decisions.md, section 5): key order, two spaces, newline at the
// end. A file may come from an external commit, so reading checks everything.
import { hash } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';
import { isObject, parseJson } from '../lib/json.ts';
import { slugProblem } from '../lib/text/slug.ts';
import { hasLater, isDateTime } from '../lib/time/date-time.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import {
  type Data,
  DOCUMENT_KEYS,
  type Document,
  type DocumentFieldMeta,
  STATUSES,
  type Status,
  type StoredDocument,
} from './document.ts';

const ID = /^(?=.*[A-Z])[0-9A-Za-z]{12}$/;
const DATES: ReadonlySet<string> = new Set(['publishAt', 'unpublishAt', 'createdAt', 'updatedAt']);
/** Keys of a document's file. */
export const FILE_KEYS: readonly string[] = [...DOCUMENT_KEYS, 'data', '_fieldMeta'];
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** A document with its keys in file order, without absent keys. */
export function inOrder(doc: StoredDocument, schema: CollectionSchema): StoredDocument {
  const ordered: Record<string, unknown> = {};
  for (const key of DOCUMENT_KEYS) if (doc[key] !== undefined) ordered[key] = doc[key];
  ordered.data = schema.ordered(doc.data);
  if (doc._fieldMeta && Object.keys(doc._fieldMeta).length) ordered._fieldMeta = doc._fieldMeta;
  return ordered as unknown as StoredDocument;
}

export function toFile(doc: StoredDocument): Buffer {
  return Buffer.from(`${JSON.stringify(doc, null, 2)}\n`, 'utf8');
}

/** The response body: the document without `_fieldMeta`. In memory of its own, so that it keeps nothing else alive. */
export function toBodyBytes(doc: StoredDocument): Buffer {
  const text = toBodyText(doc);
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text, 0, 'utf8');
  return body;
}

export function toBodyText(doc: StoredDocument): string {
  const { _fieldMeta: _, ...shown } = doc;
  return JSON.stringify(shown satisfies Document);
}

export function pathOf(doc: { collection: string; slug: string }, sharded: boolean): string {
  if (!sharded) return `content/${doc.collection}/${doc.slug}.json`;
  return `content/${doc.collection}/${shardOf(doc.slug)}/${doc.slug}.json`;
}

export function shardOf(slug: string): string {
  return hash('sha1', slug).slice(0, 2);
}

/**
 * The largest file that is read or written as a document: four times a request's body, because of indentation and field
 * metadata. Parsing it takes some 30 ms.
 */
export const DOCUMENT_FILE_BYTES = 4 << 20;
/**
 * The most keys and items of a written document: several requests may add up in one document. Twice as many are still
 * read, because such files exist already; half a million, which 4 MiB could hold, would take seconds.
 */
export const DOCUMENT_MEMBERS = 100_000;
const READABLE_MEMBERS = 2 * DOCUMENT_MEMBERS;

/** Whether a document's path is in a shard. */
export function isSharded(path: string): boolean {
  return path.split('/').length === 4;
}

/** Path of a document's file in the other layout; undefined if the path is not a document's. */
export function otherPath(path: string): string | undefined {
  const place = parsePath(path);
  const flat = place && pathOf(place, false);
  return place && flat === path ? pathOf(place, true) : flat;
}

/** The collection and slug of a path in the repository, flat or in its shard; undefined if it is not a document's. */
export function parsePath(path: string): { collection: string; slug: string } | undefined {
  const match = /^content\/([^/]+)\/([0-9a-f]{2}\/)?([^/]+)\.json$/.exec(path);
  if (!match) return undefined;
  const place = { collection: match[1]!, slug: match[3]! };
  return match[2] && pathOf(place, true) !== path ? undefined : place;
}

/**
 * Returns the stored document in file order, its dates in UTC, or the reason if the file is not a document. Without
 * `at` the file may be at the place that it names itself: a version whose path is unknown. The only reader of
 * documents' files: it ignores a byte order mark and CRLF, and they are not written again. It reads keys beside `data`
 * that no document has as absent, and reports them to `onUnknownKey`.
 */
export function parseFile(
  bytes: Buffer,
  at?: { collection: string; slug: string },
  onUnknownKey?: (key: string) => void,
): StoredDocument | string {
  const value = parseText(bytes);
  if (typeof value === 'string') return value;
  if (!isObject(value)) return 'not a JSON object';
  if (onUnknownKey) for (const key of Object.keys(value)) if (!FILE_KEYS.includes(key)) onUnknownKey(key);
  const place = at ?? { collection: String(value.collection), slug: String(value.slug) };
  const { id, slug, collection, status, data, createdAt, updatedAt, _fieldMeta: meta } = value;
  if (typeof id !== 'string' || !ID.test(id)) return 'id is not 12 letters and digits with at least one capital';
  if (slug !== place.slug) return `slug is not the file's name`;
  const problem = slugProblem(place.slug);
  if (problem) return problem;
  if (collection !== place.collection) return `collection is not the folder's name`;
  if (!STATUSES.includes(status as Status)) return 'status is not draft, published or archived';
  if (!isObject(data)) return 'data is not an object';
  if (Object.hasOwn(data, '_fieldMeta')) return 'data has a key _fieldMeta';
  if (!isDateTime(createdAt) || !isDateTime(updatedAt)) return 'createdAt or updatedAt is not a date-time';
  if (!hasLater(updatedAt)) return 'updatedAt is on the last day of 9999: no change could be later';
  for (const key of ['locale', 'translationOf', 'translationGroup'] as const) {
    if (typeof (value[key] ?? '') !== 'string') return `${key} is not a text`;
  }
  for (const key of ['publishAt', 'unpublishAt'] as const) {
    if ((value[key] ?? null) !== null && !isDateTime(value[key])) return `${key} is not a date-time`;
  }
  if (meta !== undefined && !(isObject(meta) && Object.values(meta).every(isObject)))
    return '_fieldMeta is not an object';
  const doc: Record<string, unknown> = {};
  for (const key of DOCUMENT_KEYS) {
    const found = value[key] ?? undefined;
    if (found !== undefined) doc[key] = DATES.has(key) ? toUtc(found as string) : found;
  }
  doc.data = data;
  if (meta) doc._fieldMeta = meta;
  return doc as unknown as StoredDocument;
}

function parseText(bytes: Buffer): unknown {
  try {
    return parseJson(UTF_8.decode(bytes), { maxMembers: READABLE_MEMBERS });
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    if (error instanceof TypeError) return 'not valid UTF-8';
    throw error;
  }
}

export function dataOf(body: Buffer): Data {
  return (JSON.parse(body.toString('utf8')) as Document).data;
}

export function metaOf(text: string | undefined): DocumentFieldMeta {
  return text ? (JSON.parse(text) as DocumentFieldMeta) : {};
}

/** Dates that the service wrote are in UTC with milliseconds already. */
function toUtc(text: string): string {
  return text.length === 24 ? text : new Date(text).toISOString();
}
