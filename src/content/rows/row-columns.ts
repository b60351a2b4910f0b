// Columns of rows as bytes, collection by collection: four-byte numbers first, so that they are aligned and can be used
// in place. In the machine's own byte order, which is part of the format: a saved view is not portable.
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { STATUSES } from '../document.ts';
import type { Row } from './row.ts';
import {
  BY_HAND,
  hashText,
  ID_BYTES,
  LAYOUT_SHIFT,
  OID_BYTES,
  type RowColumns,
  type SavedCollection,
} from './saved-rows.ts';

/** Increment the number whenever a row's shape changes, here or in its head. */
export const ROWS_FORMAT = `5${endianness()}`;

type DescribedColumns = Omit<SavedCollection, 'columns'>;

const NUMBERS = ['slugHashes', 'locales', 'headLengths', 'headSums', 'bodyLengths', 'bodySums'] as const;

/** Collects rows one by one, each with its head and, then or later, its body. */
export function createColumns(name: string, count: number) {
  const columns = emptyColumns(count);
  const locales = new Map<string, number>();
  const extras = new Map<string, number>();

  function localeOf(locale: string | undefined): number {
    if (locale === undefined) return 0;
    const known = locales.get(locale) ?? locales.size + 1;
    locales.set(locale, known);
    return known;
  }

  return {
    setHead(i: number, row: Row, head: Buffer): void {
      columns.slugHashes[i] = hashText(row.slug);
      columns.locales[i] = localeOf(row.locale);
      columns.headLengths[i] = head.length;
      columns.headSums[i] = crc32(head);
      columns.ids.write(row.id, i * ID_BYTES, ID_BYTES, 'latin1');
      columns.oids.write(row.etag, i * OID_BYTES, OID_BYTES, 'hex');
      columns.statuses[i] = STATUSES.indexOf(row.status) | (row.isByHand ? BY_HAND : 0) | (row.layout << LAYOUT_SHIFT);
      for (const key of row.extra) extras.set(key, (extras.get(key) ?? 0) + 1);
    },
    setBody(i: number, body: Buffer): void {
      columns.bodyLengths[i] = body.length;
      columns.bodySums[i] = crc32(body);
    },
    finish: (): SavedCollection => ({ name, count, localeNames: [...locales.keys()], extras: [...extras], columns }),
  };
}

/** A row among several parts of a collection. */
export interface ColumnPlace {
  part: number;
  row: number;
}

export function idAt({ columns }: SavedCollection, row: number): string {
  return columns.ids.toString('latin1', row * ID_BYTES, (row + 1) * ID_BYTES);
}

/** The columns of these rows, in this order. */
export function gatherColumns(
  name: string,
  parts: readonly SavedCollection[],
  places: readonly ColumnPlace[],
): SavedCollection {
  const columns = emptyColumns(places.length);
  const localeNames = [...new Set(parts.flatMap((part) => part.localeNames))];
  const localeOf = parts.map((part) => [0, ...part.localeNames.map((locale) => localeNames.indexOf(locale) + 1)]);
  places.forEach(({ part, row }, i) => {
    const from = parts[part]!.columns;
    for (const column of NUMBERS) columns[column][i] = from[column][row]!;
    columns.locales[i] = localeOf[part]![from.locales[row]!]!;
    columns.statuses[i] = from.statuses[row]!;
    from.ids.copy(columns.ids, i * ID_BYTES, row * ID_BYTES, (row + 1) * ID_BYTES);
    from.oids.copy(columns.oids, i * OID_BYTES, row * OID_BYTES, (row + 1) * OID_BYTES);
  });
  const extras = new Map<string, number>();
  for (const [key, count] of parts.flatMap((part) => part.extras)) extras.set(key, (extras.get(key) ?? 0) + count);
  return { name, count: places.length, localeNames, extras: [...extras], columns };
}

function emptyColumns(count: number): RowColumns {
  return {
    slugHashes: new Uint32Array(count),
    locales: new Uint32Array(count),
    headLengths: new Uint32Array(count),
    headSums: new Uint32Array(count),
    bodyLengths: new Uint32Array(count),
    bodySums: new Uint32Array(count),
    ids: Buffer.alloc(count * ID_BYTES),
    oids: Buffer.alloc(count * OID_BYTES),
    statuses: new Uint8Array(count),
  };
}

/** The length of a description of all collections, the description as JSON, then the columns of each collection. */
export function* encodeColumns(collections: readonly SavedCollection[]): Generator<Buffer> {
  const described = collections.map(({ columns: _, ...rest }): DescribedColumns => rest);
  const text = Buffer.from(JSON.stringify(described), 'utf8');
  const start = Buffer.alloc(4 + text.length + padding(text.length));
  start.writeUInt32LE(text.length, 0);
  text.copy(start, 4);
  yield start;
  for (const { columns } of collections) {
    for (const name of NUMBERS) yield bytesOf(columns[name]);
    yield columns.ids;
    yield columns.oids;
    yield bytesOf(columns.statuses);
    yield Buffer.alloc(padding(columns.statuses.length));
  }
}

/** Returns views into `bytes`, which must be complete and aligned. */
export function decodeColumns(bytes: Buffer): SavedCollection[] {
  const length = bytes.readUInt32LE(0);
  const described = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as DescribedColumns[];
  let at = 4 + length + padding(length);
  const nextBytes = (size: number): Buffer => bytes.subarray(at, (at += size));
  return described.map((collection) => {
    const { count } = collection;
    const numbers = NUMBERS.map((name) => {
      const { buffer, byteOffset } = nextBytes(count * 4);
      return [name, new Uint32Array(buffer, byteOffset, count)] as const;
    });
    const columns = {
      ...(Object.fromEntries(numbers) as Pick<RowColumns, (typeof NUMBERS)[number]>),
      ids: nextBytes(count * ID_BYTES),
      oids: nextBytes(count * OID_BYTES),
      statuses: nextBytes(count),
    };
    at += padding(count);
    return { ...collection, columns };
  });
}

function padding(length: number): number {
  return -length & 3;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
