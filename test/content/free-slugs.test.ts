// Numbered slugs, and that finding them stays fast.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFreeSlugs } from '../../src/content/free-slugs.ts';

function makeSlugs() {
  const taken = new Set<string>();
  const counted = { looks: 0 };
  const slugs = createFreeSlugs(({ collection, slug }) => {
    counted.looks++;
    return taken.has(`${collection}/${slug}`);
  });
  return {
    counted,
    next(base: string, collection = 'posts'): string {
      const slug = slugs.find(collection, base);
      taken.add(`${collection}/${slug}`);
      return slug;
    },
    free(slug: string): void {
      taken.delete(`posts/${slug}`);
      slugs.freed('posts', slug);
    },
  };
}

test('the thousandth document of one title needs as few lookups as the third', () => {
  const { next, counted } = makeSlugs();
  for (let i = 0; i < 1000; i++) next('same');
  counted.looks = 0;
  assert.is(next('same'), 'same-1001');
  assert.ok(counted.looks <= 4, `${counted.looks} looks`);
  assert.is(next('same', 'notes'), 'same');
});

test('a number that is free again is used next', () => {
  const { next, free } = makeSlugs();
  for (let i = 0; i < 9; i++) next('same');
  free('same-4');
  assert.is(next('same'), 'same-4');
  assert.is(next('same'), 'same-10');
  free('same');
  assert.is(next('same'), 'same');
});

test('a title that ends with a number keeps its own series', () => {
  const { next } = makeSlugs();
  assert.equal([next('part-2'), next('part'), next('part'), next('part-2')], ['part-2', 'part', 'part-3', 'part-2-2']);
});

test('even with more titles than are remembered, the numbers are right', () => {
  const { next } = makeSlugs();
  for (let round = 1; round <= 3; round++) {
    for (let i = 0; i < 1500; i++) {
      const slug = next(`title-x${i}y`);
      assert.is(slug, round === 1 ? `title-x${i}y` : `title-x${i}y-${round}`);
    }
  }
});

test.run();
