// Memory of bodies: whatever is written, a row keeps its body, and memory is freed with the documents.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Bodies, createBodies, createBodyPacker } from '../../../src/content/rows/bodies.ts';
import type { Row } from '../../../src/content/rows/row.ts';
import { eventually } from '../../support/process.ts';
import { createRandom } from '../../support/random.ts';

const rowOf = (text: string): Row => ({ body: Buffer.from(text) }) as Row;
const SLAB = 256 << 10;
const keep = (bodies: Bodies, row: Row): void => bodies.change({ removed: [], put: [row], replaced: [] });
const release = (bodies: Bodies, rows: readonly Row[]): void => bodies.change({ removed: rows, put: [], replaced: [] });

function memoryOf(rows: Iterable<Row>): number {
  return [...new Set([...rows].map(({ body }) => body.buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

test('documents that are rewritten and removed at random keep their bodies, in at most half more memory than their length', () => {
  const random = createRandom(11);
  const bodies = createBodies();
  const shown = new Map<number, { row: Row; text: string }>();
  for (let n = 0; n < 40_000; n++) {
    const document = random.whole(0, 999);
    const before = shown.get(document);
    if (random.whole(0, 19) === 0) {
      shown.delete(document);
    } else {
      const text = `${n} `.repeat(1 + random.whole(0, 399));
      const row = rowOf(text);
      keep(bodies, row);
      shown.set(document, { row, text });
    }
    if (before) release(bodies, [before.row]);
  }
  const all = [...shown.values()];
  for (const { row, text } of all) assert.is(row.body.toString(), text);
  const bytes = all.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(memoryOf(all.map(({ row }) => row)) < 1.5 * bytes + 2 * SLAB);
});

test('a body that was read before its document was rewritten stays as it was', () => {
  const bodies = createBodies();
  const first = rowOf('first'.repeat(100));
  keep(bodies, first);
  const answer = first.body;
  release(bodies, [first]);
  for (let n = 0; n < 2000; n++) {
    const row = rowOf(`${n}`.repeat(100));
    keep(bodies, row);
    release(bodies, [row]);
  }
  assert.is(answer.toString(), 'first'.repeat(100));
});

test('bodies that came as parts of one buffer move out of it when a quarter of it belongs to documents that are gone', () => {
  const bodies = createBodies();
  const piece = Buffer.alloc(SLAB, 'x');
  const rows = Array.from({ length: 128 }, (_, i) => ({ body: piece.subarray(i * 2048, (i + 1) * 2048) }) as Row);
  for (const row of rows) bodies.adopt(row);
  release(bodies, rows.slice(0, 32));
  assert.is(rows[127]!.body.buffer, piece.buffer);
  release(bodies, [rows[32]!]);
  for (const row of rows.slice(33)) {
    assert.not.ok(row.body.buffer === piece.buffer);
    assert.is(row.body.toString(), 'x'.repeat(2048));
  }
});

test('a body that was packed before it is shown stays where it is, and counts like all others', () => {
  const [bodies, pack] = [createBodies(), createBodyPacker()];
  const rows = Array.from({ length: 300 }, (_, i) => rowOf(String(i % 10).repeat(1000)));
  for (const row of rows) pack(row);
  const packed = rows.map(({ body }) => body);
  for (const row of rows) keep(bodies, row);
  for (const [i, row] of rows.entries()) {
    assert.is(row.body, packed[i]);
    assert.is(row.body.toString(), String(i % 10).repeat(1000));
  }
  assert.is(memoryOf(rows), 2 * SLAB);
  release(bodies, rows.slice(0, 290));
  assert.ok(rows.slice(290).every(({ body }, i) => body.toString() === String(i % 10).repeat(1000)));
  assert.is(memoryOf(rows.slice(290)), SLAB);
});

test('many bodies that change at once are counted after the change, and before the next one', async () => {
  const bodies = createBodies();
  const texts = Array.from({ length: 6000 }, (_, i) => `${i} `.repeat(100));
  const rows = texts.map(rowOf);
  bodies.change({ removed: [], put: rows, replaced: [] });
  const others = texts.map(rowOf);
  bodies.change({ removed: [], put: others.slice(0, 3000), replaced: rows.slice(0, 3000) });
  release(bodies, rows.slice(3000));
  keep(bodies, others[3000]!);
  const shown = others.slice(0, 3001);
  const bytes = shown.reduce((sum, { body }) => sum + body.length, 0);
  await eventually(() => assert.ok(memoryOf(shown) < 1.5 * bytes + 2 * SLAB), 10_000);
  for (const [i, { body }] of shown.entries()) assert.is(body.toString(), texts[i]);
});

test('short bodies move out of a buffer that was read for a long one', () => {
  const bodies = createBodies();
  const rows = Array.from({ length: 20 }, () => {
    const piece = Buffer.alloc(SLAB, 'z');
    return [{ body: piece.subarray(0, SLAB - 2048) } as Row, { body: piece.subarray(SLAB - 2048) } as Row];
  });
  for (const row of rows.flat()) bodies.adopt(row);
  for (const _ of bodies.settle());
  const short = rows.map(([, row]) => row!);
  assert.is(memoryOf(short), SLAB);
  assert.ok(short.every(({ body }) => body.equals(Buffer.alloc(2048, 'z'))));
});

test('a long body has memory of its own', () => {
  const bodies = createBodies();
  const piece = Buffer.alloc(SLAB, 'y');
  const row = { body: piece.subarray(0, SLAB / 4) } as Row;
  bodies.adopt(row);
  assert.is(row.body.buffer.byteLength, SLAB / 4);
  assert.is(row.body.toString(), 'y'.repeat(SLAB / 4));
});

test.run();
