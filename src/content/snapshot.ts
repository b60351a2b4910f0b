// The view on disk: blocks of rows, each a JSON text of the rows' keys and the bodies behind it. Reading splits bodies
// without parsing them. Only this code version reads what it wrote; anything else is a reason to rebuild.
import type { ContentView, Row } from './view.ts';

/** Counted up whenever a row's shape changes. */
export const ROWS_FORMAT = 1;
const BLOCK_ROWS = 1000;

type RowHead = [Omit<Row, 'body'>, number];

/** Rows are immutable, so the blocks may be written while the view goes on changing. */
export function* encodeRows(rows: readonly Row[]): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += BLOCK_ROWS) {
    const block = rows.slice(at, at + BLOCK_ROWS);
    const heads = block.map(({ body, ...head }): RowHead => [head, body.length]);
    const text = Buffer.from(JSON.stringify(heads), 'utf8');
    const lengths = Buffer.allocUnsafe(8);
    lengths.writeUInt32BE(text.length, 0);
    lengths.writeUInt32BE(
      block.reduce((sum, row) => sum + row.body.length, 0),
      4,
    );
    yield Buffer.concat([lengths, text, ...block.map((row) => row.body)]);
  }
}

export function decodeRows(bytes: Buffer, view: ContentView, version: string): void {
  for (let at = 0; at < bytes.length; ) {
    const textLength = bytes.readUInt32BE(at);
    const bodyLength = bytes.readUInt32BE(at + 4);
    const bodiesAt = at + 8 + textLength;
    const heads = JSON.parse(bytes.toString('utf8', at + 8, bodiesAt)) as RowHead[];
    let bodyAt = bodiesAt;
    for (const [head, length] of heads) {
      // Undefined keys were left out by JSON; all rows keep one shape.
      const { locale, translationOf, translationGroup, publishAt, unpublishAt, meta } = head;
      const body = bytes.subarray(bodyAt, (bodyAt += length));
      view.put({ ...head, locale, translationOf, translationGroup, publishAt, unpublishAt, meta, body }, version);
    }
    at = bodiesAt + bodyLength;
  }
}
