// The values that filters compare, read from a row by a key of the document or of its data: `title`, `place.lat`,
// `items.name`. A list has each of its items as a value.
import type { FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { instantOf } from '../../lib/time/date-time.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import { DOCUMENT_KEYS, type DocumentKey } from '../document.ts';
import { dataOf } from '../stored.ts';
import type { Row } from './row.ts';

/** null stands for a value that is none of the others, such as an object: it exists, and equals nothing. */
export type KeyValue = string | number | boolean | null;

/** What a key's values are compared as; `any` if the configuration does not say. Dates are compared as instants. */
export type KeyKind = 'text' | 'number' | 'boolean' | 'date' | 'any';

/** An index has only the beginning of longer texts: a filter that finds one reads the document. */
export const KEPT_CHARACTERS = 200;

const DATES: ReadonlySet<string> = new Set(['publishAt', 'unpublishAt', 'createdAt', 'updatedAt']);
const MAP_KINDS: Record<string, KeyKind> = { lat: 'number', lng: 'number', zoom: 'number', address: 'text' };

export function isDocumentKey(key: string): key is DocumentKey {
  return DOCUMENT_KEYS.includes(key as DocumentKey);
}

export function kindOf(schema: CollectionSchema, key: string): KeyKind {
  if (isDocumentKey(key)) return DATES.has(key) ? 'date' : 'text';
  const own = schema.fields.get(key);
  if (own) return kindOfField(own);
  const [name = '', ...path] = key.split('.');
  return kindBelow(schema.fields.get(name), path);
}

function kindBelow(field: FieldConfig | undefined, [name, ...path]: string[]): KeyKind {
  if (!field) return 'any';
  if (name === undefined) return kindOfField(field);
  if (field.type === 'map') return (path.length === 0 && MAP_KINDS[name]) || 'any';
  if (field.type === 'image-gallery') return 'text';
  return kindBelow(
    field.fields?.find((one) => one.name === name),
    path,
  );
}

function kindOfField({ type, options, fields }: FieldConfig): KeyKind {
  if (type === 'number' || type === 'boolean' || type === 'date') return type;
  if (type === 'select') {
    const isText = options?.every((option) => typeof (isObject(option) ? option.value : option) === 'string');
    return isText ? 'text' : 'any';
  }
  if (type === 'json' || type === 'blocks' || type === 'column-slots' || type === 'map' || fields) return 'any';
  return 'text';
}

/** Reads the values of a key; `data` is the row's, parsed, if the caller has it. */
export type ReadKey = (row: Row, data?: Record<string, unknown>) => KeyValue[];

/** A document without `locale` has the default locale. */
export function createReadKey(schema: CollectionSchema, key: string): ReadKey {
  const kind = kindOf(schema, key);
  if (isDocumentKey(key)) {
    return (row) => {
      const value = row[key] ?? (key === 'locale' ? schema.locales.default : undefined);
      return value === undefined ? [] : [toKeyValue(value, kind)];
    };
  }
  const column = schema.sortable.indexOf(key);
  if (column >= 0) {
    return (row) => {
      const value = row.sort[column];
      // A column holds null for a list, too.
      if (value === undefined || value === null) return valuesAt(dataOf(row.body), key, kind);
      return [toKeyValue(value, kind)];
    };
  }
  return (row, data = dataOf(row.body)) => valuesAt(data, key, kind);
}

export function valuesAt(data: Record<string, unknown>, key: string, kind: KeyKind): KeyValue[] {
  const values: KeyValue[] = [];
  if (Object.hasOwn(data, key)) gather(data[key], [], kind, values);
  else if (key.includes('.')) gather(data, key.split('.'), kind, values);
  return values;
}

function gather(value: unknown, path: readonly string[], kind: KeyKind, values: KeyValue[]): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    if (path.length === 0 && value.length === 0) values.push(null);
    for (const item of value) gather(item, path, kind, values);
    return;
  }
  const [name, ...rest] = path;
  if (name === undefined) values.push(toKeyValue(value, kind));
  else if (isObject(value) && Object.hasOwn(value, name)) gather(value[name], rest, kind, values);
}

function toKeyValue(value: unknown, kind: KeyKind): KeyValue {
  if (typeof value === 'string') return (kind === 'date' ? instantOf(value) : undefined) ?? value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Numbers before texts before booleans before everything else; texts by UTF-16 code unit. */
export function compareKeyValues(a: KeyValue, b: KeyValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

function rankOf(value: KeyValue): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : value === null ? 3 : 2;
}
