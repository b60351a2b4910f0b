// A delta built from edits makes the same result as the edits.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  applyDelta,
  applyPieces,
  composeDeltas,
  deltaBytes,
  encodeDelta,
  parseDelta,
  stretchesOf,
} from '../../../src/store/git/delta.ts';
import { diffDelta } from '../../../src/store/git/delta-diff.ts';
import { PieceTable } from '../../../src/store/git/piece-table.ts';
import { createRandom, type Random } from '../../support/random.ts';

function bytes(random: Random, length: number): Buffer {
  const out = Buffer.alloc(length);
  for (let i = 0; i < length; i++) out[i] = random.whole(0, 255);
  return out;
}

function editAtRandom(target: Buffer, random: Random): { at: number; removed: Buffer; inserted: Buffer } {
  const at = random.whole(0, target.length);
  const removed = target.subarray(at, at + random.whole(0, Math.min(60, target.length - at)));
  const inserted = bytes(random, random.whole(0, 3) ? random.whole(0, 40) : random.whole(0, 700));
  return { at, removed, inserted };
}

function applyEdit(target: Buffer, edit: { at: number; removed: Buffer; inserted: Buffer }): Buffer {
  return Buffer.concat([target.subarray(0, edit.at), edit.inserted, target.subarray(edit.at + edit.removed.length)]);
}

test('the delta of any edits turns the base into their result', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed);
    const base = bytes(random, random.whole(0, 3000));
    const pieces = new PieceTable(base.length);
    let target = base;
    for (let i = random.whole(0, 40); i > 0; i--) {
      const edit = editAtRandom(target, random);
      pieces.apply(edit);
      target = applyEdit(target, edit);
    }
    const delta = encodeDelta(pieces.toPieces());
    assert.is(pieces.toPieces().size, target.length);
    assert.ok(
      delta.length <= deltaBytes(pieces.toPieces()),
      `seed ${seed}: ${delta.length} > ${deltaBytes(pieces.toPieces())}`,
    );
    assert.ok(applyDelta(base, delta).equals(target), `seed ${seed}`);
  }
});

test('copies are right at lengths and offsets that need another byte', () => {
  const base = Buffer.alloc((1 << 24) + 70_000);
  for (let i = 0; i < base.length; i += 4) base.writeUInt32LE(i, i);
  for (const at of [0, 1, 0xff, 0x100, 0xffff, 0x10000, 0x10001, 0xffffff, 0x1000000]) {
    for (const length of [1, 0xff, 0x100, 0xffff, 0x10000, 0x10001, 0x20000]) {
      if (at + length > base.length) continue;
      const pieces = new PieceTable(base.length);
      pieces.apply({ at: at + length, removed: base.subarray(at + length), inserted: Buffer.from('tail') });
      pieces.apply({ at: 0, removed: base.subarray(0, at), inserted: Buffer.from('head') });
      const wanted = Buffer.concat([Buffer.from('head'), base.subarray(at, at + length), Buffer.from('tail')]);
      assert.ok(applyDelta(base, encodeDelta(pieces.toPieces())).equals(wanted), `${at} + ${length}`);
    }
  }
  const whole = new PieceTable(base.length);
  whole.apply({ at: base.length, removed: Buffer.alloc(0), inserted: Buffer.from('x') });
  assert.ok(applyDelta(base, encodeDelta(whole.toPieces())).equals(Buffer.concat([base, Buffer.from('x')])));
});

test('a delta that is cut short, has another base or an unknown instruction is refused', () => {
  const base = Buffer.from('the quick brown fox');
  const pieces = new PieceTable(base.length);
  pieces.apply({ at: 4, removed: base.subarray(4, 9), inserted: Buffer.from('slow') });
  const delta = encodeDelta(pieces.toPieces());
  for (let length = 0; length < delta.length; length++) {
    assert.throws(() => applyDelta(base, delta.subarray(0, length)));
  }
  assert.throws(() => applyDelta(base.subarray(1), delta));
  assert.throws(() => applyDelta(base, Buffer.concat([delta.subarray(0, 2), Buffer.from([0])])));
});

test('a chain of deltas becomes one delta, and the stretches of any range are found without its base', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = createRandom(seed);
    const base = bytes(random, random.whole(0, 2000));
    let target = base;
    let chain = new PieceTable(base.length).toPieces();
    for (let link = random.whole(1, 12); link > 0; link--) {
      const step = new PieceTable(target.length);
      for (let i = random.whole(0, 4); i > 0; i--) {
        const edit = editAtRandom(target, random);
        step.apply(edit);
        target = applyEdit(target, edit);
      }
      chain = composeDeltas(chain, parseDelta(encodeDelta(step.toPieces())));
    }
    assert.ok(applyPieces(base, chain).equals(target), `seed ${seed}`);
    for (let i = 0; i < 20; i++) {
      const from = random.whole(0, target.length);
      const length = random.whole(0, target.length - from);
      const parts = [...stretchesOf(chain, from, length)].map((part) =>
        'bytes' in part ? part.bytes : base.subarray(part.at, part.at + part.length),
      );
      assert.ok(Buffer.concat(parts).equals(target.subarray(from, from + length)), `seed ${seed}: ${from}+${length}`);
    }
  }
});

test('the delta between two texts turns the first into the second, whatever was moved, added or removed', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const few = random.whole(0, 1) ? 3 : 255;
    const base = bytes(random, random.whole(0, 3) ? random.whole(0, 3000) : random.whole(0, 40));
    for (let i = 0; i < base.length; i++) base[i]! %= few;
    let target = base;
    for (let i = random.whole(0, 12); i > 0; i--) target = applyEdit(target, editAtRandom(target, random));
    if (random.whole(0, 3) === 0) target = Buffer.concat([target.subarray(target.length >> 1), target]);
    assert.ok(applyDelta(base, diffDelta(base, target)).equals(target), `seed ${seed}`);
    assert.ok(applyDelta(target, diffDelta(target, base)).equals(base), `seed ${seed}, back`);
  }
});

test('the delta of a document that changed in two places is a few dozen bytes', () => {
  const document = (title: string, at: string): Buffer =>
    Buffer.from(
      JSON.stringify({
        id: 'a1',
        updatedAt: at,
        data: { intro: 'word '.repeat(150), title, body: 'text '.repeat(250) },
      }),
    );
  const before = document('The first title of it', '2026-01-02T03:04:05.678Z');
  const after = document('Another title for it', '2026-05-06T07:08:09.012Z');
  const delta = diffDelta(before, after);
  assert.ok(applyDelta(before, delta).equals(after));
  assert.ok(delta.length < 90, `${delta.length} bytes`);
});

test.run();
