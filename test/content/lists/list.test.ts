// Lists against a naive model: after any sequence of writes, any query gives the same as sorting and filtering all
// documents. And what a list's ETag promises.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import type { ListQuery, Viewer } from '../../../src/content/api.ts';
import type { Document, Status, StoredDocument } from '../../../src/content/document.ts';
import { listDocuments } from '../../../src/content/lists/list.ts';
import { toRow } from '../../../src/content/rows/row.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import { createRandom } from '../../support/random.ts';
import { CONFIG } from '../../support/world.ts';

const SEED = 20260102;
const SITE = compileSite(parseConfig(CONFIG));
const SCHEMA = SITE.collections.get('posts')!;

type Doc = Omit<Document, 'data'> & { data: Record<string, unknown> };

/** A view and the plain documents that it must agree with. */
function makePair() {
  const view = createContentView(SITE, 'c0');
  const model = new Map<string, Doc>();
  let commits = 0;
  let freeSlugs = 0;
  return {
    view,
    model,
    put(id: string, change: Partial<Doc>): void {
      const known = model.get(id);
      const doc: Doc = {
        id,
        slug: change.slug ?? known?.slug ?? `s${++freeSlugs}`,
        collection: 'posts',
        status: 'draft',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
        data: {},
        ...change,
      };
      model.set(id, doc);
      view.put(toRow(doc as StoredDocument, `e${++commits}`, SCHEMA), `c${commits}`);
    },
    remove(id: string): void {
      const row = view.byId(id);
      if (row) view.remove(row, `c${++commits}`);
      model.delete(id);
    },
    list: (query: ListQuery, viewer?: Viewer) => listDocuments(view.collection('posts')!, query, viewer),
  };
}

const KEYS = ['id', 'slug', 'collection', 'status', 'locale', 'translationOf', 'publishAt', 'createdAt', 'updatedAt'];

/** The rule of decisions.md, as plainly as it can be written. */
function naive(
  model: ReadonlyMap<string, Doc>,
  query: ListQuery,
  viewer?: Viewer,
): { documents: Doc[]; total: number } {
  const by = query.orderBy ?? 'createdAt';
  const sortedBy = (doc: Doc): unknown => {
    if (by === 'locale') return doc.locale ?? 'en';
    if (KEYS.includes(by)) return doc[by as keyof Doc];
    const value = Object.hasOwn(doc.data, by) ? doc.data[by] : undefined;
    return typeof value === 'object' ? undefined : value;
  };
  const rank = (value: unknown): number => ['number', 'string', 'boolean'].indexOf(typeof value);
  const found = [...model.values()].filter(
    (doc) =>
      (query.status === undefined || query.status === 'all' || doc.status === query.status) &&
      (!viewer?.publishedOnly || doc.status === 'published') &&
      (query.locale === undefined || (doc.locale ?? 'en') === query.locale) &&
      (query.tags ?? []).every((tag) => Array.isArray(doc.data.tags) && doc.data.tags.includes(tag)),
  );
  const sign = query.order === 'asc' ? 1 : -1;
  found.sort((a, b) => {
    const [left, right] = [sortedBy(a), sortedBy(b)];
    if ((left ?? null) === null || (right ?? null) === null) {
      const missing = Number((left ?? null) === null) - Number((right ?? null) === null);
      if (missing !== 0) return missing;
    } else {
      const types = rank(left) - rank(right);
      if (types !== 0) return sign * types;
      if (left !== right) return sign * (left! < right! ? -1 : 1);
    }
    return a.id < b.id ? -1 : 1;
  });
  const offset = query.offset ?? 0;
  const page = found.slice(offset, query.limit === undefined ? undefined : offset + query.limit);
  const documents = page.map((doc) => {
    if (!query.fields) return doc;
    const data = Object.fromEntries(Object.entries(doc.data).filter(([key]) => query.fields!.includes(key)));
    return { ...doc, data };
  });
  return { documents, total: found.length };
}

/** Without its warnings of names, which have a test of their own. */
async function parse(body: Buffer | AsyncIterable<Buffer>): Promise<{ documents: Doc[]; total: number }> {
  const chunks: Buffer[] = Buffer.isBuffer(body) ? [body] : [];
  if (!Buffer.isBuffer(body)) for await (const chunk of body) chunks.push(chunk);
  const { warnings: _, ...page } = JSON.parse(String(Buffer.concat(chunks)));
  return page;
}

const date = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2025-06-01T00:00:00.000Z');
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'B', 'ä', '10', '9', '\u{1f600}', '\uffff'),
  fc.boolean(),
  fc.constant(null),
);
const tags = fc.subarray(['red', 'green', 'blue', 'constructor', 'red green']);
const data = fc.record(
  {
    title: scalar,
    rank: scalar,
    tags: fc.oneof(tags, fc.constantFrom(null, 'red', [5, 'red', 'red'])),
    body: fc.constantFrom('x', { type: 'doc' }, null),
    own: scalar,
    toString: scalar,
    id: scalar,
  },
  { requiredKeys: [] },
);
const document = fc.record(
  {
    status: fc.constantFrom<Status>('draft', 'published', 'archived'),
    locale: fc.constantFrom('en', 'de'),
    publishAt: date,
    createdAt: date,
    updatedAt: date,
    data,
  },
  { requiredKeys: ['status', 'createdAt', 'updatedAt', 'data'] },
);
const step = fc.record({ id: fc.integer({ min: 0, max: 30 }), remove: fc.boolean(), document });
const query: fc.Arbitrary<ListQuery> = fc.record(
  {
    status: fc.constantFrom('draft', 'published', 'archived', 'all'),
    locale: fc.constantFrom('en', 'de', 'fr'),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.integer({ min: 0, max: 40 }),
    orderBy: fc.constantFrom(
      ...KEYS,
      'title',
      'rank',
      'own',
      'body',
      'tags',
      'nothing',
      'toString',
      'constructor',
      'data',
    ),
    order: fc.constantFrom('asc', 'desc'),
    tags,
    fields: fc.subarray(['title', 'own', 'toString', 'nothing']),
  },
  { requiredKeys: [] },
);

test('a page is what sorting and filtering every document gives', async () => {
  const run = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 60 }),
    fc.array(fc.tuple(query, fc.boolean()), { minLength: 1, maxLength: 8 }),
    fc.array(step, { maxLength: 20 }),
    async (steps, queries, more) => {
      const pair = makePair();
      const apply = (all: typeof steps): void => {
        for (const { id, remove, document: doc } of all) {
          if (remove) pair.remove(`id${id}`);
          else pair.put(`id${id}`, { ...doc, slug: `s${id}` });
        }
      };
      const compare = async (): Promise<void> => {
        for (const [asked, publishedOnly] of queries) {
          const { body, total } = pair.list(asked, { publishedOnly });
          const expected = naive(pair.model, asked, { publishedOnly });
          assert.equal(await parse(body), JSON.parse(JSON.stringify(expected)), JSON.stringify(asked));
          assert.is(total, expected.total);
        }
      };
      apply(steps);
      await compare();
      // The second round keeps the orders of the first one up to date.
      apply(more);
      await compare();
    },
  );
  await fc.assert(run, { seed: SEED, numRuns: 150 });
});

/** Enough documents for orders to be kept, chunks to be split and lists to be streamed. */
function makeLarge(count: number) {
  const pair = makePair();
  const random = createRandom(SEED).next;
  const any = (): Partial<Doc> => ({
    status: (['draft', 'published', 'archived'] as const)[Math.floor(random() * 3)]!,
    createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 500) * 1000).toISOString(),
    updatedAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 1e6)).toISOString(),
    ...(random() < 0.5 ? { locale: random() < 0.5 ? 'en' : 'de' } : {}),
    data: {
      ...(random() < 0.8 ? { title: `t${Math.floor(random() * 300)}` } : {}),
      ...(random() < 0.8 ? { rank: Math.floor(random() * 50) } : { rank: null }),
      ...(random() < 0.3 ? { own: random() < 0.5 ? Math.floor(random() * 9) : 'text' } : {}),
      tags: ['all', ...(random() < 0.3 ? ['few'] : [])],
    },
  });
  for (let i = 0; i < count; i++) pair.put(`id${i}`, any());
  return { ...pair, random, any };
}

test('an order that is prepared in steps has the rows that were added, removed and changed meanwhile', async () => {
  const { view, model, put, remove, list, random, any } = makeLarge(3000);
  const posts = view.collection('posts')!;
  for (const orderBy of ['updatedAt', 'title']) {
    for (const _ of posts.warm(orderBy, 'published')) {
      for (let i = 0; i < 20; i++) {
        const id = `id${Math.floor(random() * 3300)}`;
        if (random() < 0.2) remove(id);
        else put(id, any());
      }
    }
    for (const order of ['asc', 'desc'] as const) {
      for (const query of [
        { orderBy, order },
        { orderBy, order, status: 'published' as const },
      ]) {
        assert.equal(await parse(list(query).body), JSON.parse(JSON.stringify(naive(model, query))));
      }
    }
  }
});

const LARGE_QUERIES: ListQuery[] = [
  {},
  { limit: 20, offset: 1490 },
  { orderBy: 'rank', order: 'asc', limit: 50, offset: 1100 },
  { orderBy: 'title', limit: 30, offset: 700, status: 'published' },
  { orderBy: 'own', order: 'asc', limit: 40 },
  { orderBy: 'own', limit: 600, offset: 100 },
  // Orders of some documents are made from an existing order of all documents, or of the status.
  { orderBy: 'rank', order: 'asc', limit: 50, offset: 100, status: 'archived' },
  { orderBy: 'title', limit: 200, status: 'published', locale: 'de' },
  { orderBy: 'rank', order: 'asc', limit: 100, locale: 'en' },
  { tags: ['all'], orderBy: 'rank', limit: 10, offset: 900 },
  { tags: ['all', 'few'], orderBy: 'updatedAt', locale: 'de' },
  { orderBy: 'nothing', limit: 10, offset: 640 },
  { offset: 100_000 },
  { fields: ['rank'], status: 'archived' },
];

test('orders are kept up to date while thousands of rows are added, changed and removed', async () => {
  const large = makeLarge(1500);
  for (let round = 0; round < 4; round++) {
    for (const asked of LARGE_QUERIES) {
      const { body } = large.list(asked);
      assert.equal(await parse(body), naive(large.model, asked), `round ${round} ${JSON.stringify(asked)}`);
    }
    for (let i = 0; i < 700; i++) {
      const id = `id${Math.floor(large.random() * 1800)}`;
      if (large.random() < 0.3) large.remove(id);
      else large.put(id, { ...large.any(), slug: large.model.get(id)?.slug ?? `new-${id}` });
    }
  }
});

test('a list of more than 200 documents is streamed, and is the same list', async () => {
  const large = makeLarge(201);
  assert.ok(Buffer.isBuffer(large.list({ limit: 200 }).body));
  const { body } = large.list({});
  assert.not.ok(Buffer.isBuffer(body));
  assert.is((await parse(body)).documents.length, 201);
});

test('a stream shows the list as it was when it was requested', async () => {
  const large = makeLarge(400);
  const expected = structuredClone(naive(large.model, {}));
  const { body } = large.list({});
  for (let i = 0; i < 400; i++) large.remove(`id${i}`);
  assert.equal(await parse(body), expected);
  assert.equal(await parse(large.list({}).body), { documents: [], total: 0 });
});

test('a rename moves a document in orders by slug and leaves one row', async () => {
  const pair = makePair();
  for (const slug of ['a', 'b', 'c']) pair.put(`id-${slug}`, { slug });
  pair.list({ orderBy: 'slug', order: 'asc' });
  pair.put('id-a', { slug: 'z' });
  const { documents } = await parse(pair.list({ orderBy: 'slug', order: 'asc' }).body);
  assert.equal(
    documents.map(({ slug }) => slug),
    ['b', 'c', 'z'],
  );
  assert.is(pair.view.bySlug('posts', 'a'), undefined);
  assert.is(pair.view.size, 3);
});

test('the ETag is weak, differs from query to query and to viewer, and changes with every write to the collection', () => {
  const pair = makePair();
  pair.put('id1', { status: 'published' });
  const etags = (): string[] => [
    pair.list({}).etag,
    pair.list({ limit: 1 }).etag,
    pair.list({ orderBy: 'title' }).etag,
    pair.list({ fields: ['title'] }).etag,
    pair.list({}, { publishedOnly: true }).etag,
  ];
  const first = etags();
  assert.ok(first.every((etag) => /^W\/"[0-9a-f]{40}"$/.test(etag)));
  assert.is(new Set(first).size, first.length);
  assert.equal(etags(), first);
  pair.put('id2', { status: 'published' });
  const second = etags();
  assert.ok(second.every((etag, i) => etag !== first[i]));
  pair.remove('id2');
  assert.ok(etags().every((etag, i) => etag !== first[i] && etag !== second[i]));
});

test('a change that only editors can see does not change the ETag of an anonymous reader', () => {
  const pair = makePair();
  pair.put('id1', { status: 'published' });
  const etag = (): string => pair.list({}, { publishedOnly: true }).etag;
  const first = etag();
  pair.put('id2', { status: 'draft' });
  pair.put('id2', { status: 'archived' });
  pair.remove('id2');
  assert.is(etag(), first);
  pair.put('id2', { status: 'published' });
  const published = etag();
  assert.is.not(published, first);
  pair.put('id2', { status: 'draft' });
  assert.is.not(etag(), published);
});

test('a write to one collection does not change the lists of the others', () => {
  const pair = makePair();
  const notes = pair.view.collection('notes')!;
  const before = listDocuments(notes, {}).etag;
  pair.put('id1', {});
  assert.is(listDocuments(notes, {}).etag, before);
});

test.run();
