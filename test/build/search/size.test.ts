// How much a visitor loads: 10,000 posts have an index of five megabytes, and a first answer loads a fiftieth of it.
import { statSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makePosts } from '../../../scripts/bench/blog.ts';
import { createSearch } from '../../../src/build/search/client.js';
import { createSearchFiles } from '../../../src/build/search/search-files.ts';
import { createRandom } from '../../support/random.ts';
import { LOCALES } from './search-world.ts';

const POSTS = 10_000;
const MOST_IN_ALL = 5_000_000;
const MOST_FOR_AN_ANSWER = 100_000;
const QUERIES = 2000;
const CLIENT_BYTES = statSync(new URL('../../../src/build/search/client.js', import.meta.url)).size;

test('the search of 10,000 posts is under 5 MB in all, and under 100 KB for a first answer, compressed or not', async () => {
  const posts = makePosts(POSTS);
  const files = createSearchFiles(
    posts.map(({ slug, title, date, body, tags }) => ({
      ...{ path: `/posts/${slug}/`, title, slug, texts: [body, ...tags], time: Date.parse(date) },
    })),
    LOCALES,
  );
  const sizes = new Map([...files].map(([name, text]) => [name, Buffer.byteLength(text)]));
  const inAll = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  assert.ok(inAll < MOST_IN_ALL, `${inAll} bytes in all`);

  const { next: random } = createRandom(1);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const word = (): string =>
    pick(
      pick(posts)
        .body.toLowerCase()
        .match(/\p{L}+/gu) ?? ['a'],
    );
  for (let n = 0; n < QUERIES; n++) {
    // Words as common as in the texts, whole or begun, and some pairs of them.
    const query = n % 4 === 0 ? `${word()} ${word()}` : word().slice(0, n % 4 === 1 ? 2 + (n % 3) : undefined);
    let bytes = CLIENT_BYTES;
    const search = createSearch('search/', async (name: string) => {
      bytes += sizes.get(name) ?? 0;
      return new Response(files.get(name) ?? null, { status: files.has(name) ? 200 : 404 });
    });
    await search(query);
    assert.ok(bytes < MOST_FOR_AN_ANSWER, `"${query}" loads ${bytes} bytes`);
  }
});

test.run();
