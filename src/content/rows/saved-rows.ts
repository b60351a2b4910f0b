// Rows that are not in memory yet: columns of numbers to find them by, and the bytes that each row is made from when it
// is first asked for. The bytes may be damaged: a row whose checksums do not match is made from its document's file
// again.
import { crc32 } from 'node:zlib';
import { fnv1a } from '../../lib/fnv1a.ts';
import { STATUSES, type Status } from '../document.ts';
import type { FileLayout } from '../files/paths.ts';
import type { RowPlace } from './place.ts';
import type { Row } from './row.ts';
import { toHead } from './row-head.ts';

export const ID_BYTES = 12;
export const OID_BYTES = 20;
/** The number of a status has the layout of the document's file in its upper bits. */
export const LAYOUT_SHIFT = 6;
/** A flag below it. */
export const BY_HAND = 0x20;

/** One entry for each row, in the default order of lists. */
export interface RowColumns {
  ids: Buffer;
  /** Blob ids. */
  oids: Buffer;
  slugHashes: Uint32Array;
  /** Index in STATUSES, with the flag and the file's layout above it. */
  statuses: Uint8Array;
  /** Index in `localeNames` plus one; zero without a locale. */
  locales: Uint32Array;
  headLengths: Uint32Array;
  headSums: Uint32Array;
  bodyLengths: Uint32Array;
  bodySums: Uint32Array;
}

export interface SavedCollection {
  name: string;
  count: number;
  localeNames: readonly string[];
  /** Keys of data that are not in the schema, and how many rows have each. */
  extras: readonly (readonly [string, number])[];
  columns: RowColumns;
}

/** Reads bytes: possibly fewer, and not necessarily the right ones, so the caller checks them. */
export type ReadBytes = (at: number, length: number) => Buffer;

/** What is known of a row whose bytes are damaged. */
export interface SavedPlace {
  collection: string;
  id: string;
  /** Blob id of the document's file. */
  oid: string;
  layout: FileLayout;
}

/** Where heads and bodies are, and how to read them. */
export interface RowBytes {
  headStarts: Float64Array;
  bodyStarts: Float64Array;
  head: ReadBytes;
  body: ReadBytes;
  /** The same, for reading all of them in order. */
  nextHead: ReadBytes;
  nextBody: ReadBytes;
  /** The numbers of the rows in the order of their bytes, if that is not the order of the rows. */
  numbers?: Uint32Array;
  /** Makes the row from its document's file. */
  restore(at: SavedPlace): Row;
}

export function hashText(text: string): number {
  return fnv1a(text) >>> 0;
}

/** Bytes to read at once when all rows are read in order; a body that is kept keeps this many bytes alive. */
const STRETCH_BYTES = 256 << 10;

export class SavedRows {
  readonly count: number;
  readonly extras: SavedCollection['extras'];
  readonly #collection: SavedCollection;
  readonly #bytes: RowBytes;
  readonly #places: SavedRowPlace[];
  #byId: Uint32Array | undefined;
  #bySlug: Uint32Array | undefined;

  constructor(collection: SavedCollection, bytes: RowBytes) {
    this.count = collection.count;
    this.extras = collection.extras;
    this.#collection = collection;
    this.#bytes = bytes;
    this.#places = new Array(collection.count);
  }

  /** The place of a row, always the same object. */
  place(i: number): SavedRowPlace {
    return (this.#places[i] ??= new SavedRowPlace(this, i));
  }

  idAt(i: number): string {
    return this.#collection.columns.ids.toString('latin1', i * ID_BYTES, (i + 1) * ID_BYTES);
  }

  statusAt(i: number): Status {
    return STATUSES[this.#collection.columns.statuses[i]! & (BY_HAND - 1)]!;
  }

  isByHandAt(i: number): boolean {
    return (this.#collection.columns.statuses[i]! & BY_HAND) !== 0;
  }

  layoutAt(i: number): FileLayout {
    return this.#collection.columns.statuses[i]! >> LAYOUT_SHIFT;
  }

  localeAt(i: number): string | undefined {
    return this.#collection.localeNames[this.#collection.columns.locales[i]! - 1];
  }

  /** The row's number, or -1. */
  findId(id: string): number {
    if (id.length !== ID_BYTES) return -1;
    this.#byId ??= toTable(this.count, (i) => hashText(this.idAt(i)));
    return findIn(this.#byId, hashText(id), (i) => this.idAt(i) === id);
  }

  /** The row's number, or -1. */
  findSlug(slug: string): number {
    const { slugHashes } = this.#collection.columns;
    this.#bySlug ??= toTable(this.count, (i) => slugHashes[i]!);
    const hash = hashText(slug);
    return findIn(this.#bySlug, hash, (i) => slugHashes[i] === hash && this.place(i).row.slug === slug);
  }

  /** The row as it was saved; its body is read when it is first asked for. */
  read(i: number, readHead: ReadBytes = this.#bytes.head): Row {
    const { headLengths, headSums } = this.#collection.columns;
    const length = headLengths[i]!;
    const bytes = readHead(this.#bytes.headStarts[i]!, length);
    if (bytes.length !== length || crc32(bytes) !== headSums[i]) return this.#restore(i);
    return new SavedRow(this, i, bytes, this.#collection.name, this.#oidAt(i));
  }

  readBody(i: number, readBody: ReadBytes = this.#bytes.body): Buffer {
    const { bodyLengths, bodySums } = this.#collection.columns;
    const length = bodyLengths[i]!;
    const bytes = readBody(this.#bytes.bodyStarts[i]!, length);
    return bytes.length === length && crc32(bytes) === bodySums[i] ? bytes : this.#restore(i).body;
  }

  /** Loads all rows with their bodies, in the order of their bytes, and yields the number of each. */
  *loadAll(): Generator<number> {
    const { numbers, nextHead, nextBody } = this.#bytes;
    for (let n = 0; n < this.count; n++) {
      const i = numbers ? numbers[n]! : n;
      const place = this.place(i);
      if (!place.isMade) place.row = this.read(i, nextHead);
      if (place.row instanceof SavedRow) place.row.load(nextBody);
      yield i;
    }
  }

  #oidAt(i: number): string {
    return this.#collection.columns.oids.toString('hex', i * OID_BYTES, (i + 1) * OID_BYTES);
  }

  #restore(i: number): Row {
    const at = { collection: this.#collection.name, id: this.idAt(i), oid: this.#oidAt(i), layout: this.layoutAt(i) };
    return this.#bytes.restore(at);
  }
}

/** A place whose row is made when it is first asked for; its status and locale are known without the row. */
export class SavedRowPlace implements RowPlace {
  slot = -1;
  #row: Row | undefined;
  #saved: SavedRows | undefined;
  readonly #number: number;

  constructor(saved: SavedRows, number: number) {
    this.#saved = saved;
    this.#number = number;
  }

  get isMade(): boolean {
    return this.#row !== undefined;
  }

  get row(): Row {
    if (this.#row) return this.#row;
    this.row = this.#saved!.read(this.#number);
    return this.#row!;
  }

  set row(row: Row) {
    this.#row = row;
    this.#saved = undefined;
  }

  get status(): Status {
    return this.#row ? this.#row.status : this.#saved!.statusAt(this.#number);
  }

  get locale(): string | undefined {
    return this.#row ? this.#row.locale : this.#saved!.localeAt(this.#number);
  }
}

/** A row made from its head; its body is read later. */
class SavedRow implements Row {
  readonly id: string;
  readonly slug: string;
  readonly collection: string;
  readonly status: Status;
  readonly locale: string | undefined;
  readonly translationOf: string | undefined;
  readonly translationGroup: string | undefined;
  readonly publishAt: string | undefined;
  readonly unpublishAt: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tags: readonly string[];
  readonly etag: string;
  layout: FileLayout;
  readonly isByHand: boolean;
  readonly meta: string | undefined;
  readonly sort: Row['sort'];
  readonly extra: readonly string[];
  #body: Buffer | undefined;
  #saved: SavedRows | undefined;
  readonly #number: number;

  constructor(saved: SavedRows, number: number, bytes: Buffer, collection: string, etag: string) {
    const head = toHead(bytes);
    this.id = head.id;
    this.slug = head.slug;
    this.collection = collection;
    this.status = saved.statusAt(number);
    this.locale = saved.localeAt(number);
    this.translationOf = head.translationOf;
    this.translationGroup = head.translationGroup;
    this.publishAt = head.publishAt;
    this.unpublishAt = head.unpublishAt;
    this.createdAt = head.createdAt;
    this.updatedAt = head.updatedAt;
    this.tags = head.tags;
    this.etag = etag;
    this.layout = saved.layoutAt(number);
    this.isByHand = saved.isByHandAt(number);
    this.meta = head.meta;
    this.sort = head.sort;
    this.extra = head.extra;
    this.#saved = saved;
    this.#number = number;
  }

  get isAsleep(): boolean {
    return this.#body === undefined;
  }

  get body(): Buffer {
    return this.#body ?? this.load();
  }

  set body(body: Buffer) {
    this.#body = body;
  }

  load(readBody?: ReadBytes): Buffer {
    if (this.#body) return this.#body;
    this.#body = this.#saved!.readBody(this.#number, readBody);
    this.#saved = undefined;
    return this.#body;
  }
}

/** Reads in large pieces. Each piece has a buffer of its own, so callers may keep parts of it. */
export function inStretches(read: ReadBytes): ReadBytes {
  let start = 0;
  let stretch: Buffer = Buffer.alloc(0);
  return (at, length) => {
    if (at < start || at + length > start + stretch.length) {
      start = at;
      stretch = read(at, Math.max(length, STRETCH_BYTES));
    }
    return stretch.subarray(at - start, at - start + length);
  };
}

/** Open addressing, at most half full; the table stores numbers plus one. */
function toTable(count: number, hashAt: (i: number) => number): Uint32Array {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, count) * 2)));
  const mask = table.length - 1;
  for (let i = 0; i < count; i++) {
    let slot = hashAt(i) & mask;
    while (table[slot]) slot = (slot + 1) & mask;
    table[slot] = i + 1;
  }
  return table;
}

function findIn(table: Uint32Array, hash: number, isIt: (i: number) => boolean): number {
  const mask = table.length - 1;
  for (let slot = hash & mask; table[slot]; slot = (slot + 1) & mask) {
    const i = table[slot]! - 1;
    if (isIt(i)) return i;
  }
  return -1;
}
