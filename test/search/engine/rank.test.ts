import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type EntryRanks, selectPage } from '../../../src/search/engine/rank.ts';

const seed = Number(process.env.FC_SEED ?? 20_260_731);
console.log(`fast-check seed ${seed} (FC_SEED)`);

const byNumber = (a: number, b: number): number => a - b;

function sorted(entries: Uint32Array, { scores, times }: EntryRanks): number[] {
  return [...entries].sort((a, b) => scores[b]! - scores[a]! || times[b]! - times[a]! || byNumber(a, b));
}

test('a page is what sorting everything and slicing gives', () => {
  const score = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 1000 }));
  fc.assert(
    fc.property(
      fc.array(score, { maxLength: 400 }),
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(3000),
      fc.integer({ min: 1, max: 500 }),
      (some, moments, repeat, offset, limit) => {
        const scores = Float32Array.from(Array.from({ length: repeat }, () => some).flat());
        const times = Float64Array.from(scores, (_, i) => (i * 7919) % moments);
        const entries = Uint32Array.from(scores.keys());
        const expected = sorted(entries, { scores, times }).slice(offset, offset + limit);
        assert.equal(selectPage(entries, entries.length, { scores, times }, { offset, limit }, byNumber), expected);
      },
    ),
    { seed, numRuns: 500 },
  );
});

test('a few high scores at regular places do not change the page', () => {
  for (const stride of [7, 16, 64, 256]) {
    const scores = Float32Array.from({ length: 16_384 }, (_, i) => (i % stride === 0 ? 5 : i % 3));
    const entries = Uint32Array.from(scores.keys());
    const ranks = { scores, times: new Float64Array(scores.length) };
    const expected = sorted(entries, ranks).slice(0, 500);
    assert.equal(selectPage(entries, entries.length, ranks, { offset: 0, limit: 500 }, byNumber), expected);
  }
});

test('only the first `count` entries count', () => {
  const ranks = { scores: Float32Array.from([1, 9, 2, 9]), times: new Float64Array(4) };
  assert.equal(selectPage(Uint32Array.from([0, 2, 1, 3]), 2, ranks, { offset: 0, limit: 9 }, byNumber), [2, 0]);
});

test.run();
