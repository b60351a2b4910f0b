// The view on disk: the heads and bodies of the rows one after another, and columns with the length and checksum of
// each. A start reads only the columns; heads and bodies are checked when they are read. Only the code version that
// wrote a saved view reads it; any other view is rebuilt.
import type { Row } from './row.ts';
import { createColumns, decodeColumns, encodeColumns, ROWS_FORMAT } from './row-columns.ts';
import { fromHead } from './row-head.ts';
import { inStretches, type ReadBytes, type RowBytes, SavedRows } from './saved-rows.ts';
import type { ContentView } from './view.ts';

export { ROWS_FORMAT };

/** Rows to write at once. */
const PIECE_ROWS = 256;

export interface SavedSections {
  /** A whole section; undefined if it is not as it was written. */
  read(name: string): Buffer | undefined;
  /** Some bytes of a section, which may differ from those that were written. */
  readPart(name: string, at: number, length: number): Buffer;
}

/**
 * Encodes the rows of each collection, which are in the default order of lists. Rows are immutable, so the sections may
 * be written, in the order below, while the view changes.
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

/** Shows the saved rows in an empty view; returns false if they cannot be read. `restore` makes a row from its file. */
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
