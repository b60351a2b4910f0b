// Filters against a naive model: after any sequence of writes, any filters give the same as a look at all documents.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import type { ListQuery } from '../../../src/content/api.ts';
import type { StoredDocument } from '../../../src/content/document.ts';
import { FILTER_OPERATORS, type ListFilter } from '../../../src/content/lists/filter.ts';
import { listDocuments, selectRows } from '../../../src/content/lists/list.ts';
import { createPrepareList } from '../../../src/content/lists/prepare-list.ts';
import { toRow } from '../../../src/content/rows/row.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import { makeWorld } from '../../support/world.ts';

const SITE = compileSite(
  parseConfig({
    defaultLocale: 'en',
    locales: ['en', 'de'],
    collections: [
      {
        name: 'posts',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'rank', type: 'number' },
          { name: 'done', type: 'boolean' },
          { name: 'on', type: 'date' },
          { name: 'tags', type: 'tags' },
          { name: 'place', type: 'map' },
          { name: 'items', type: 'array', fields: [{ name: 'name', type: 'text' }] },
        ],
      },
    ],
  }),
);
const SCHEMA = SITE.collections.get('posts')!;

type Data = Record<string, unknown>;

function makeView() {
  const view = createContentView(SITE, 'c0');
  let commits = 0;
  return {
    collection: view.collection('posts')!,
    put(id: string, data: Data, more: Partial<StoredDocument> = {}): void {
      const at = '2026-01-01T00:00:00.000Z';
      const own = {
        id,
        slug: id.toLowerCase(),
        collection: 'posts',
        status: 'published',
        createdAt: at,
        updatedAt: at,
      };
      const doc = { ...own, ...more, data } as StoredDocument;
      view.put(toRow(doc, `e${++commits}`, SCHEMA), `c${commits}`);
    },
    remove(id: string): void {
      const row = view.byId(id);
      if (row) view.remove(row, `c${++commits}`);
    },
  };
}

const LONG = 'x'.repeat(200);
const TEXTS = ['', 'a', 'A', 'Ä b', 'ab', '5', 'true', LONG, `${LONG}a`, `${LONG}b`];
const DATES = ['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-02-01'];
const KEYS = ['title', 'rank', 'done', 'on', 'tags', 'place.lat', 'items.name', 'own', 'locale', 'slug'] as const;

const data: fc.Arbitrary<Data> = fc.record(
  {
    title: fc.constantFrom<unknown>(...TEXTS, null),
    rank: fc.constantFrom<unknown>(-1, 0, 1, 2.5, null),
    done: fc.constantFrom<unknown>(true, false, null),
    on: fc.constantFrom(...DATES),
    tags: fc.subarray(['a', 'ab', 'Ä b']),
    place: fc.record({ lat: fc.integer({ min: 0, max: 2 }), lng: fc.constant(1) }),
    items: fc.array(fc.record({ name: fc.constantFrom('a', 'ab') }), { maxLength: 2 }),
    own: fc.constantFrom<unknown>(1, '1', true, 'true', 'a', {}, [], null),
  },
  { requiredKeys: [] },
);

function valuesIn(data: Data, key: string): unknown[] {
  const walk = (value: unknown, path: string[]): unknown[] => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value))
      return path.length === 0 && value.length === 0 ? [{}] : value.flatMap((one) => walk(one, path));
    if (path.length === 0) return [value];
    return typeof value === 'object' ? walk((value as Data)[path[0]!], path.slice(1)) : [];
  };
  return walk(data, key.split('.'));
}

const isDate = (key: string): boolean => key === 'on';
const plain = (text: string): string => text.toLowerCase().replace('ä', 'a');

/** The rule of decisions.md, as plainly as it can be written. */
function fits(values: unknown[], { key, op, value }: ListFilter): boolean {
  const wanted = op === 'in' || op === 'nin' ? value.split(',').filter(Boolean) : [value];
  const meanings = (text: string): unknown[] => {
    if (key === 'rank' || key === 'place.lat') return [Number(text)];
    if (key === 'done') return [text === 'true'];
    if (key === 'own')
      return [
        text,
        ...(text !== '' && !Number.isNaN(Number(text)) ? [Number(text)] : []),
        ...(text === 'true' ? [true] : []),
      ];
    return [text];
  };
  const any = (check: (one: unknown, other: unknown) => boolean): boolean =>
    values.some((one) =>
      wanted.flatMap(meanings).some((other) => {
        const [left, right] = isDate(key) ? [Date.parse(one as string), Date.parse(other as string)] : [one, other];
        return typeof left === typeof right && check(left, right);
      }),
    );
  const folded = (check: (one: string, other: string) => boolean): boolean =>
    values.some((one) => typeof one === 'string' && check(plain(one), plain(value)));
  if (op === 'exists') return values.length > 0 === (value === 'true');
  if (op === 'eq' || op === 'in') return any((one, other) => one === other);
  if (op === 'ne' || op === 'nin') return !any((one, other) => one === other);
  if (op === 'gt') return any((one, other) => one! > other!);
  if (op === 'gte') return any((one, other) => one! >= other!);
  if (op === 'lt') return any((one, other) => one! < other!);
  if (op === 'lte') return any((one, other) => one! <= other!);
  return folded((one, other) => (op === 'contains' ? one.includes(other) : one.startsWith(other)));
}

const valueFor = (key: string, op: string): fc.Arbitrary<string> => {
  if (op === 'exists') return fc.constantFrom('true', 'false');
  const one =
    key === 'rank' || key === 'place.lat'
      ? fc.constantFrom('-1', '0', '1', '2.5')
      : key === 'done'
        ? fc.constantFrom('true', 'false')
        : isDate(key)
          ? fc.constantFrom(...DATES)
          : key === 'locale'
            ? fc.constantFrom('en', 'de')
            : fc.constantFrom(...TEXTS.filter(Boolean), '1');
  return op === 'in' || op === 'nin' ? fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join(',')) : one;
};
const filter: fc.Arbitrary<ListFilter> = fc
  .tuple(fc.constantFrom(...KEYS), fc.constantFrom(...FILTER_OPERATORS))
  .filter(([key, op]) => !/contains|startsWith/.test(op) || ['title', 'tags', 'items.name', 'own'].includes(key))
  .chain(([key, op]) => valueFor(key, op).map((value) => ({ key, op, value })));
const step = fc.record({
  id: fc.integer({ min: 0, max: 20 }),
  remove: fc.boolean(),
  locale: fc.constantFrom('de', undefined),
  data,
});

test('any filters after any writes give what a look at every document gives', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.array(fc.array(filter, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      (steps, queries) => {
        const { collection, put, remove } = makeView();
        const model = new Map<string, { locale?: string; data: Data }>();
        const half = Math.ceil(steps.length / 2);
        const check = (): void => {
          for (const filters of queries) {
            const { rows, total } = selectRows(collection, { filter: filters, orderBy: 'slug', order: 'asc' });
            const expected = [...model]
              .filter(([id, { data: own, locale = 'en' }]) =>
                filters.every((one) => {
                  if (one.key === 'locale') return fits([locale], one);
                  return fits(one.key === 'slug' ? [id.toLowerCase()] : valuesIn(own, one.key), one);
                }),
              )
              .map(([id]) => id.toLowerCase())
              .sort();
            assert.equal(
              rows.map(({ slug }) => slug),
              expected,
              JSON.stringify(filters),
            );
            assert.is(total, expected.length);
          }
        };
        steps.forEach(({ id, remove: isRemoved, locale, data: own }, n) => {
          const name = `Id${String(id).padStart(10, '0')}`;
          if (isRemoved) {
            remove(name);
            model.delete(name);
          } else {
            put(name, own, locale ? { locale } : {});
            model.set(name, { data: own, ...(locale ? { locale } : {}) });
          }
          // The indexes exist from here on, and follow the rest.
          if (n === half) check();
        });
        check();
      },
    ),
    { numRuns: 120 },
  );
});

test('a long list is prepared in slices, and pages of many matches are in the asked order', async () => {
  const { collection, put } = makeView();
  for (let n = 0; n < 3000; n++)
    put(`Id${String(n).padStart(10, '0')}`, { rank: n % 7, title: `Title ${n}`, own: n % 2 ? 'odd' : 'even' });
  const prepare = createPrepareList();
  const rows = async (query: ListQuery): Promise<[string[], number]> => {
    await prepare(collection, query);
    const { body, total } = listDocuments(collection, query);
    const { documents } = JSON.parse(String(body));
    return [documents.map(({ slug }: StoredDocument) => slug.slice(-4)), total];
  };
  const where = (key: string, value: string, op: ListFilter['op'] = 'eq') => ({ key, op, value });
  const page = { limit: 3, orderBy: 'rank', order: 'asc' } as const;
  assert.equal(await rows({ ...page, filter: [where('rank', '3', 'gte')] }), [['0003', '0010', '0017'], 1713]);
  assert.equal(await rows({ ...page, offset: 1712, filter: [where('rank', '3', 'gte')] }), [['2995'], 1713]);
  const odd = [where('own', 'odd'), where('title', 'TITLE 299', 'startsWith')];
  assert.equal(await rows({ ...page, filter: odd }), [['2997', '2991', '2999'], 6]);
});

test('filters work in both families, with status, tags, paging and entity tags, and show the public nothing hidden', async () => {
  await using world = await makeWorld();
  const { admin, anonymous } = world;
  for (const [slug, status, rank] of [
    ['a', 'published', 1],
    ['b', 'draft', 2],
    ['c', 'published', 3],
  ] as const)
    await admin.post('/api/cms/notes', { slug, status, data: { title: `Café ${slug}`, rank, tags: ['x'] } });
  const slugs = async (search: string, client = admin, family = 'cms'): Promise<string[]> => {
    const { json, text } = await client.get(`/api/${family}/notes?orderBy=slug&order=asc&${search}`);
    assert.ok(json.documents, text);
    assert.is(json.total, json.documents.length);
    return json.documents.map(({ slug }: { slug: string }) => slug);
  };
  assert.equal(await slugs('filter[rank][gte]=2'), ['b', 'c']);
  assert.equal(await slugs('filter%5Brank%5D%5Bgte%5D=2', admin, 'content'), ['b', 'c']);
  assert.equal(await slugs('filter[rank][gte]=2&status=published&tags=x'), ['c']);
  assert.equal(await slugs('filter[slug][in]=a,b&filter[title][contains]=cafe'), ['a', 'b']);
  assert.equal(await slugs('filter[status]=draft'), ['b']);
  assert.equal(await slugs('filter[tags]=x&filter[tags]=y'), []);
  assert.equal(await slugs('filter[rank][gte]=1', anonymous), ['a', 'c']);
  assert.equal(await slugs('filter[status]=draft', anonymous), []);
  const url = '/api/cms/notes?filter[rank]=3&limit=1';
  const first = await admin.get(url);
  assert.is((await admin.get(url, { 'if-none-match': String(first.headers.etag) })).status, 304);
  await admin.patch('/api/cms/notes/a', { data: { rank: 3 } });
  const second = await admin.get(url);
  assert.equal([second.json.total, second.headers['x-total-count']], [2, '2']);
  assert.match(String(second.headers.link), /filter%5Brank%5D=3.*rel="next"/);
  assert.is.not(second.headers.etag, first.headers.etag);

  const refused = async (search: string): Promise<string> => {
    const { status, text } = await admin.get(`/api/cms/posts?${search}`);
    assert.is(status, 400, text);
    return text;
  };
  assert.match(await refused('filter[rank]=high'), /filter\[rank\].*is not a number/);
  for (const bad of [
    'filter[rank][near]=1',
    'filter=x',
    'filter[]=x',
    'filter[rank][contains]=1',
    'filter[createdAt][gt]=yesterday',
    'filter[status]=bogus',
    'filter[title][exists]=maybe',
    'filter[rank][]=1',
    `${Array.from({ length: 11 }, (_, n) => `filter[k${n}]=1`).join('&')}`,
  ])
    await refused(bad);
  assert.is((await admin.get('/api/cms/nothing?filter[rank]=high')).status, 404);
  assert.equal((await admin.get('/api/cms/posts?filter[_fieldMeta][exists]=true')).json.total, 0);
});

test.run();
