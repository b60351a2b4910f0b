// Reads many documents, in the order of the disk, into columns and bytes that can be transferred to another thread. For
// a share of a whole repository: it knows nothing about other documents.
import type { SiteSchema } from '../../schema/collection.ts';
import type { Oid } from '../../store/git/objects.ts';
import { comparePlaces, type ObjectPlace, type Odb } from '../../store/repository/odb.ts';
import { pathOf } from '../files/paths.ts';
import { toRow } from '../rows/row.ts';
import { createColumns } from '../rows/row-columns.ts';
import { fromHead } from '../rows/row-head.ts';
import type { SavedCollection } from '../rows/saved-rows.ts';
import { DOCUMENT_FILE_BYTES, toBodyText } from '../stored.ts';
import { probeOrigin } from './origins.ts';
import { readDocument } from './other-files.ts';
import { schemaProblem } from './warnings.ts';

/** Documents of one collection. */
export interface BulkShare {
  collection: string;
  slugs: readonly string[];
  /** The layout of each. */
  layouts: Uint8Array;
  oids: readonly Oid[];
}

/** A position is CHUNK times the chunk's number, plus the offset in it. */
export interface BulkBytes {
  chunks: Uint8Array<ArrayBuffer>[];
  starts: Float64Array<ArrayBuffer>;
}

export interface BulkRows {
  /** Each row's index in the share, in the order of reading. */
  numbers: Uint32Array<ArrayBuffer>;
  saved: SavedCollection;
  /** Numbers that sort like `createdAt`. */
  dates: Float64Array<ArrayBuffer>;
  heads: BulkBytes;
  bodies: BulkBytes;
  /** Reasons why a file is not a document, or why its values do not fit the schema. */
  problems: [number: number, message: string][];
  /** Files without an id or dates, which the log has to give them; they are not among the rows. */
  byHand: number[];
}

export const CHUNK = 2 ** 32;
const CHUNK_BYTES = 256 << 10;
const PROGRESS_DOCUMENTS = 256;
const NO_BODY = Buffer.alloc(0);

export function readBulk(
  odb: Odb,
  schema: SiteSchema,
  { collection, slugs, layouts, oids }: BulkShare,
  onProgress: () => void,
): BulkRows {
  const places = oids.map((oid, number): { number: number; oid: Oid; place: ObjectPlace | undefined } => {
    return { number, oid, place: odb.locate(oid) };
  });
  places.sort((a, b) => comparePlaces(a.place, b.place));
  const rules = schema.collections.get(collection)!;
  const columns = createColumns(collection, slugs.length);
  const heads = createBytes(slugs.length);
  const bodies = createBytes(slugs.length);
  const numbers = new Uint32Array(slugs.length);
  const dates = new Float64Array(slugs.length);
  const problems: [number, string][] = [];
  const byHand: number[] = [];
  let count = 0;
  for (const [n, { number, oid, place }] of places.entries()) {
    if (n % PROGRESS_DOCUMENTS === 0) onProgress();
    const layout = layouts[number]!;
    const path = pathOf({ collection, slug: slugs[number]! }, layout);
    const probe = probeOrigin();
    const read = () => odb.get(oid, 'blob', DOCUMENT_FILE_BYTES, place);
    const doc = readDocument(read, path, { schema: rules, originOf: probe.originOf });
    if (probe.lacks.length > 0) {
      byHand.push(number);
      continue;
    }
    if (typeof doc === 'string') {
      problems.push([number, doc]);
      continue;
    }
    const problem = schemaProblem(doc, rules);
    if (problem) problems.push([number, problem]);
    const row = toRow(doc, oid, rules, { layout, body: NO_BODY });
    columns.setHead(count, row, heads.add(count, fromHead(row)));
    columns.setBody(count, bodies.add(count, toBodyText(doc)));
    dates[count] = toOrdered(row.createdAt);
    numbers[count++] = number;
  }
  return {
    numbers: numbers.subarray(0, count),
    saved: { ...columns.finish(), count },
    dates,
    heads: heads.finish(),
    bodies: bodies.finish(),
    problems,
    byHand,
  };
}

const UTC = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z$/;

/** A number that sorts like the text, even for days that a month does not have. */
export function toOrdered(date: string): number {
  const parts = UTC.exec(date);
  if (!parts) throw new Error(`${date} is not a date-time in UTC`);
  const [, year, month, day, hour, minute, second, millisecond] = parts.map(Number) as number[];
  const days = (year! * 13 + month!) * 32 + day!;
  return (((days * 25 + hour!) * 60 + minute!) * 60 + second!) * 1000 + millisecond!;
}

function createBytes(count: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const starts = new Float64Array(count);
  let chunk = Buffer.alloc(0);
  let end = 0;
  return {
    add(i: number, text: string): Buffer {
      // Three bytes a character at most.
      if (end + text.length * 3 > chunk.length) {
        const length = Buffer.byteLength(text);
        if (end + length > chunk.length) {
          chunk = Buffer.from(new ArrayBuffer(Math.max(CHUNK_BYTES, length)));
          chunks.push(chunk);
          end = 0;
        }
      }
      const start = end;
      starts[i] = (chunks.length - 1) * CHUNK + start;
      end += chunk.write(text, start, 'utf8');
      return chunk.subarray(start, end);
    },
    finish: (): BulkBytes => ({ chunks, starts }),
  };
}
