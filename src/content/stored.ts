// The file format of documents (decisions.md, sections 5 and 14): JSON with two spaces, or Markdown (markdown/). A file
// may come from an external commit, so reading checks everything.
import { ServiceError } from '../lib/errors.ts';
import { isObject, parseJson } from '../lib/json.ts';
import { slugProblem } from '../lib/text/slug.ts';
import { hasLater, isDateTime } from '../lib/time/date-time.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { FileSchema } from '../schema/file-schema.ts';
import {
  type Data,
  DOCUMENT_KEYS,
  type Document,
  type DocumentFieldMeta,
  STATUSES,
  type Status,
  type StoredDocument,
} from './document.ts';
import { type FileLayout, isMarkdown, MARKDOWN, type NamedDocument, parsePath } from './files/paths.ts';
import { parseMarkdown } from './markdown/parse.ts';
import { printMarkdown } from './markdown/print.ts';

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

/** The bytes of a document's file; `doc` is in order. */
export function toFile(doc: StoredDocument, layout: FileLayout, schema: Pick<FileSchema, 'textFields'>): Buffer {
  if (layout & MARKDOWN) return Buffer.from(printMarkdown(doc, schema.textFields[0]), 'utf8');
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

/** What a document written by hand takes from the commit that added its file (from-git/origins.ts). */
export interface Origin {
  id: string;
  createdAt: string;
  updatedAt: string;
}

const ORIGIN_KEYS = ['id', 'createdAt', 'updatedAt'] as const satisfies readonly (keyof Origin)[];

/** What reading a file needs beside its bytes and its path. */
export interface FileContext {
  /** Without it the text below front matter counts as the field `body`, and data keeps the order of the file. */
  schema?: FileSchema | undefined;
  /** Called with what the file lacks of an id and dates; without it such a file is not a document. */
  originOf?: ((lacks: readonly (keyof Origin)[]) => Origin) | undefined;
  /** The status of a file that names none. */
  status?: Status;
  /** Called with each key beside `data` that no document has. */
  onUnknownKey?: ((key: string) => void) | undefined;
}

/**
 * Returns the stored document in file order, its dates in UTC, or the reason if the file is not a document. Without a
 * path the file has to be JSON and to name its place itself. The only reader of documents' files: it ignores a byte
 * order mark and CRLF, and they are not written again. It reads keys beside `data` that no document has as absent.
 */
export function parseFile(bytes: Buffer, path: string | undefined, context: FileContext = {}): StoredDocument | string {
  const value = parseText(bytes, path, context);
  if (typeof value === 'string') return value;
  if (!isObject(value)) return 'not a JSON object';
  const { onUnknownKey } = context;
  if (onUnknownKey) for (const key of Object.keys(value)) if (!FILE_KEYS.includes(key)) onUnknownKey(key);
  const given = withWhatIsKnown(value, path === undefined ? undefined : parsePath(path), context);
  const problem = problemOf(given, path);
  if (problem) return problem;
  const { data, _fieldMeta: meta } = given;
  const doc: Record<string, unknown> = {};
  for (const key of DOCUMENT_KEYS) {
    const found = given[key] ?? undefined;
    if (found !== undefined) doc[key] = DATES.has(key) ? toUtc(found as string) : found;
  }
  doc.data = data;
  if (meta) doc._fieldMeta = meta;
  return doc as unknown as StoredDocument;
}

/** A file that a person wrote need not repeat its place, nor what the commit that added it says. */
function withWhatIsKnown(
  value: Record<string, unknown>,
  place: NamedDocument | undefined,
  { originOf, status: assumed = 'published' }: FileContext,
): Record<string, unknown> {
  const { id, createdAt, updatedAt, status, slug, collection } = value;
  const lacks = ORIGIN_KEYS.filter((key) => value[key] == null);
  const origin = lacks.length ? originOf?.(lacks) : undefined;
  if (!origin && (!place || (status != null && slug != null && collection != null))) return value;
  return {
    ...value,
    id: id ?? origin?.id,
    slug: slug ?? place?.slug,
    collection: collection ?? place?.collection,
    status: status ?? assumed,
    createdAt: createdAt ?? origin?.createdAt,
    updatedAt: updatedAt ?? later(createdAt ?? origin?.createdAt, origin?.updatedAt),
  };
}

/** A document is not changed before it is created. */
function later(createdAt: unknown, updatedAt: string | undefined): unknown {
  return updatedAt !== undefined && isDateTime(createdAt) && toUtc(createdAt) > updatedAt ? createdAt : updatedAt;
}

/** All that is wrong, in one line. */
function problemOf(value: Record<string, unknown>, path: string | undefined): string | undefined {
  const place = path === undefined ? { collection: value.collection, slug: value.slug } : parsePath(path);
  if (!place) return "not at a document's place";
  const { id, slug, collection, status, data, createdAt, updatedAt, _fieldMeta: meta } = value;
  const isDated = isDateTime(createdAt) && isDateTime(updatedAt);
  const isNamed = typeof slug === 'string' && slug === place.slug;
  const keys = ['locale', 'translationOf', 'translationGroup'] as const;
  const dates = ['publishAt', 'unpublishAt'] as const;
  const problems = [
    (typeof id !== 'string' || !ID.test(id)) && 'id is not 12 letters and digits with at least one capital',
    isNamed ? slugProblem(slug) : `slug is not the file's name`,
    (typeof collection !== 'string' || collection !== place.collection) && `collection is not the folder's name`,
    !STATUSES.includes(status as Status) && 'status is not draft, published or archived',
    !isObject(data) && 'data is not an object',
    isObject(data) && Object.hasOwn(data, '_fieldMeta') && 'data has a key _fieldMeta',
    !isDated && 'createdAt or updatedAt is not a date-time',
    isDated && !hasLater(updatedAt as string) && 'updatedAt is on the last day of 9999: no change could be later',
    ...keys.map((key) => typeof (value[key] ?? '') !== 'string' && `${key} is not a text`),
    ...dates.map((key) => value[key] != null && !isDateTime(value[key]) && `${key} is not a date-time`),
    meta !== undefined && !(isObject(meta) && Object.values(meta).every(isObject)) && '_fieldMeta is not an object',
  ].filter((problem) => problem);
  return problems.length > 0 ? problems.join('; ') : undefined;
}

function parseText(bytes: Buffer, path: string | undefined, { schema }: FileContext): unknown {
  try {
    const text = UTF_8.decode(bytes);
    if (path === undefined || !isMarkdown(path)) return parseJson(text, { maxMembers: READABLE_MEMBERS });
    const value = parseMarkdown(text, schema?.textFields ?? [], READABLE_MEMBERS);
    if (schema && isObject(value.data)) value.data = schema.ordered(value.data);
    return value;
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
