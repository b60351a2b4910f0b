// Lists whose order is prepared in slices first: the answer is the same, and no other request waits for a sort.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import type { StoredDocument } from '../../../src/content/document.ts';
import { listDocuments } from '../../../src/content/lists/list.ts';
import { createPrepareList } from '../../../src/content/lists/prepare-list.ts';
import { toRow } from '../../../src/content/rows/row.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { compileSite } from '../../../src/schema/compile.ts';

const SCHEMA = compileSite(
  parseConfig({ collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' }] }] }),
);

function makeView(count: number) {
  const view = createContentView(SCHEMA, 'c0');
  const schema = SCHEMA.collections.get('posts')!;
  for (let i = 0; i < count; i++) {
    const at = new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % count) * 1000).toISOString();
    const doc = {
      id: `id${i}`,
      slug: `s${i}`,
      collection: 'posts',
      status: 'published',
      createdAt: at,
      updatedAt: at,
      data: { title: `t${(i * 31) % count}`, own: (i * 17) % count },
    } as unknown as StoredDocument;
    view.put(toRow(doc, `etag${i}`, schema), `c${i}`);
  }
  return view.collection('posts')!;
}

test('a list of few documents, or in an existing order, needs no preparation', async () => {
  const prepare = createPrepareList();
  assert.is(prepare(makeView(500), { orderBy: 'own', limit: 3 }), undefined);
  const posts = makeView(3000);
  posts.order('own', 'asc');
  assert.is(prepare(posts, { orderBy: 'own', order: 'asc', limit: 3 }), undefined);
  assert.is(prepare(posts, { orderBy: 'own', order: 'asc', limit: 3, status: 'draft', locale: 'de' }), undefined);
  assert.ok(prepare(posts, { orderBy: 'own', order: 'desc', limit: 3 }) instanceof Promise);
});

test('an order prepared in slices is the same as one sorted at once, and other work runs meanwhile', async () => {
  const prepare = createPrepareList();
  const slow = makeView(20_000);
  const fast = makeView(20_000);
  for (const query of [
    { orderBy: 'own', limit: 20 },
    { orderBy: 'title', order: 'asc' as const, limit: 20, offset: 19_000 },
    { orderBy: 'nothing', limit: 5 },
  ]) {
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    await prepare(slow, query, { publishedOnly: true });
    clearInterval(count);
    assert.ok(turns > 1, `${query.orderBy}: ${turns}`);
    assert.is(prepare(slow, query, { publishedOnly: true }), undefined, query.orderBy);
    assert.equal(listDocuments(slow, query).body, listDocuments(fast, query).body, query.orderBy);
  }
});

test('many requests for one order make it once', async () => {
  const prepare = createPrepareList();
  const posts = makeView(3000);
  let made = 0;
  const { warm } = posts;
  posts.warm = (by, status) => {
    made++;
    return warm(by, status);
  };
  await Promise.all(Array.from({ length: 20 }, () => prepare(posts, { orderBy: 'own', limit: 3 })));
  assert.is(made, 1);
});

test('long lists requested at once begin one after another, each in a turn of its own', async () => {
  const prepare = createPrepareList();
  const posts = makeView(3000);
  posts.order('createdAt', 'desc');
  let turn = 0;
  const count = (): void => {
    turn++;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  const begun = await Promise.all(Array.from({ length: 5 }, () => prepare(posts, {})?.then(() => turn)));
  clearImmediate(ticking);
  assert.is(new Set(begun).size, 5, begun.join(' '));
  assert.is(prepare(posts, { limit: 200 }), undefined);
});

test.run();
