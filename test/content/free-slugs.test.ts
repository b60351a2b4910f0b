// Numbered slugs, and that finding them stays quick.
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
    take(base: string, collection = 'posts'): string {
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

test('the thousandth document of one title takes as few looks as the third', () => {
  const { take, counted } = makeSlugs();
  for (let i = 0; i < 1000; i++) take('same');
  counted.looks = 0;
  assert.is(take('same'), 'same-1001');
  assert.ok(counted.looks <= 4, `${counted.looks} looks`);
  assert.is(take('same', 'notes'), 'same');
});

test('a number that is free again is the next one', () => {
  const { take, free } = makeSlugs();
  for (let i = 0; i < 9; i++) take('same');
  free('same-4');
  assert.is(take('same'), 'same-4');
  assert.is(take('same'), 'same-10');
  free('same');
  assert.is(take('same'), 'same');
});

test('a title that ends with a number keeps its own series', () => {
  const { take } = makeSlugs();
  assert.equal([take('part-2'), take('part'), take('part'), take('part-2')], ['part-2', 'part', 'part-3', 'part-2-2']);
});

test('more titles than are remembered still get the right numbers', () => {
  const { take } = makeSlugs();
  for (let round = 1; round <= 3; round++) {
    for (let i = 0; i < 1500; i++) {
      const slug = take(`title-x${i}y`);
      assert.is(slug, round === 1 ? `title-x${i}y` : `title-x${i}y-${round}`);
    }
  }
});

test.run();
