// The view on disk: heads and bodies of the rows one behind the other, and columns that say where each is and what it
// sums to. A start reads the columns only; heads and bodies are checked as they are read. Only this code version reads
// what it wrote; anything else is a reason to rebuild.
import type { Row } from './row.ts';
import { createColumns, decodeColumns, encodeColumns, ROWS_FORMAT } from './row-columns.ts';
import { fromHead } from './row-head.ts';
import { inStretches, type ReadBytes, type RowBytes, SavedRows } from './saved-rows.ts';
import type { ContentView } from './view.ts';

export { ROWS_FORMAT };

/** Rows that are written at once. */
const PIECE_ROWS = 256;

export interface SavedSections {
  /** A whole section, undefined where it is not as it was written. */
  read(name: string): Buffer | undefined;
  /** Some bytes of one, which may be others than were written. */
  readPart(name: string, at: number, length: number): Buffer;
}

/**
 * The rows of each collection, in the order that lists default to. They are immutable, so the sections may be written,
 * in this order, while the view goes on changing.
 */
export function encodeRows(collections: readonly { name: string; rows: readonly Row[] }[]) {
  const all = collections.map(({ name, rows }) => ({ rows, columns: createColumns(name, rows.length) }));

  function* inPieces(toBytes: (row: Row, i: number, columns: (typeof all)[0]['columns']) => Buffer): Generator<Buffer> {
    for (const { rows, columns } of all) {
      for (let at = 0; at < rows.length; at += PIECE_ROWS) {
        yield Buffer.concat(rows.slice(at, at + PIECE_ROWS).map((row, i) => toBytes(row, at + i, columns)));
      }
    }
  }

  return {
    heads: inPieces((row, i, columns) => {
      const head = Buffer.from(fromHead(row), 'utf8');
      columns.setHead(i, row, head);
      return head;
    }),
    bodies: inPieces((row, i, columns) => {
      columns.setBody(i, row.body);
      return row.body;
    }),
    columns: (function* () {
      yield* encodeColumns(all.map(({ columns }) => columns.finish()));
    })(),
  };
}

/** Shows the rows in a view that has none yet; false where that cannot be. `restore` makes a row of its file. */
export function adoptRows(sections: SavedSections, view: ContentView, restore: RowBytes['restore']): boolean {
  const columns = sections.read('columns');
  if (!columns) return false;
  const head: ReadBytes = (at, length) => sections.readPart('heads', at, length);
  const body: ReadBytes = (at, length) => sections.readPart('bodies', at, length);
  let headAt = 0;
  let bodyAt = 0;
  for (const collection of decodeColumns(columns)) {
    const { headLengths, bodyLengths } = collection.columns;
    const headStarts = new Float64Array(collection.count);
    const bodyStarts = new Float64Array(collection.count);
    for (let i = 0; i < collection.count; i++) {
      headStarts[i] = headAt;
      headAt += headLengths[i]!;
      bodyStarts[i] = bodyAt;
      bodyAt += bodyLengths[i]!;
    }
    const reading = { head, body, nextHead: inStretches(head), nextBody: inStretches(body) };
    view.adopt(collection.name, new SavedRows(collection, { headStarts, bodyStarts, ...reading, restore }));
  }
  return true;
}
