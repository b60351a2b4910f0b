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
const TEXTS = ['', 'a', 'A', 'Ä b', 'ab', '5', 'true', LONG, `${LONG}a`, `${LONG}b`, 'a, b', 'a\\', '\\, ab'];
// In New York, a time without a zone would be another instant than the same in UTC.
process.env.TZ = 'America/New_York';
const DATES = ['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00', '2026-02-01'];
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
const inUtc = (date: string): number => Date.parse(date === '2026-01-01T00:00' ? '2026-01-01' : date);
const plain = (text: string): string => text.toLowerCase().replace('ä', 'a');

/** `\,` is a comma inside of a value, and `\\` a backslash. */
function partsOf(value: string): string[] {
  const parts = [''];
  for (let at = 0; at < value.length; at++) {
    const isEscape = value[at] === '\\' && /^[\\,]$/.test(value[at + 1] ?? '');
    if (value[at] === ',') parts.push('');
    else parts[parts.length - 1] += isEscape ? value[++at]! : value[at]!;
  }
  return parts.filter(Boolean);
}

/** The rule of decisions.md, as plainly as it can be written. */
function fits(values: unknown[], { key, op, value }: ListFilter): boolean {
  const wanted = op === 'in' || op === 'nin' ? partsOf(value) : [value];
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
        const [left, right] = isDate(key) ? [inUtc(one as string), inUtc(other as string)] : [one, other];
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
  if (op !== 'in' && op !== 'nin') return one;
  const escaped = one.map((text) => text.replace(/[\\,]/g, '\\$&'));
  const part = fc.oneof(one, escaped);
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((all) => all.join(','));
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

test('any page of any range has the documents that a sort of all matches puts there, however it is found', () => {
  const { collection, put, remove } = makeView();
  const COUNT = 3000;
  const model = new Map<string, { rank: number; title: string; status: string }>();
  for (let n = 0; n < COUNT + 100; n++) {
    const [slug, status] = [`id${String(n).padStart(10, '0')}`, n % 3 ? 'published' : 'draft'] as const;
    const own = { rank: (n * 7919) % COUNT, title: `Title ${(n * 31) % 997}` };
    put(slug, own, { status });
    model.set(slug, { ...own, status });
    // The next documents get the slots of these.
    if (n % 31 !== 5) continue;
    remove(slug);
    model.delete(slug);
  }
  const query = fc.record({
    from: fc.oneof(fc.integer({ min: 0, max: COUNT }), fc.integer({ min: COUNT - 70, max: COUNT })),
    width: fc.oneof(fc.integer({ min: 0, max: COUNT }), fc.integer({ min: 0, max: 70 })),
    isNegated: fc.boolean(),
    status: fc.constantFrom('published', 'draft', undefined),
    orderBy: fc.constantFrom('title', 'rank', 'slug'),
    order: fc.constantFrom('asc', 'desc'),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: COUNT })),
    limit: fc.constantFrom(0, 1, 20, 500, undefined),
  });
  const property = fc.property(query, ({ from, width, isNegated, status, orderBy, order, offset, limit }) => {
    const own = [
      { key: 'rank', op: 'gte', value: String(from) },
      { key: 'rank', op: 'lte', value: String(from + width) },
      ...(isNegated ? [{ key: 'title', op: 'ne', value: 'Title 31' }] : []),
    ] as ListFilter[];
    const asked = {
      orderBy,
      order,
      offset,
      ...(status && { status }),
      ...(limit !== undefined && { limit }),
    } as ListQuery;
    const { rows, total } = selectRows(collection, { ...asked, filter: own });
    const sortedBy = (slug: string): string | number =>
      orderBy === 'slug' ? slug : model.get(slug)![orderBy as 'rank' | 'title'];
    const sign = order === 'asc' ? 1 : -1;
    const expected = [...model.keys()]
      .filter((slug) => {
        const { rank, title, status: its } = model.get(slug)!;
        const isIn = rank >= from && rank <= from + width;
        return isIn && (!status || its === status) && !(isNegated && title === 'Title 31');
      })
      .sort((a, b) => {
        const [left, right] = [sortedBy(a), sortedBy(b)];
        if (left !== right) return left < right ? -sign : sign;
        return a < b ? -1 : 1;
      });
    assert.is(total, expected.length);
    assert.equal(
      rows.map(({ slug }) => slug),
      expected.slice(offset, offset + (limit ?? COUNT * 2)),
    );
  });
  fc.assert(property, { numRuns: 300 });
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
  await admin.patch('/api/cms/notes/a', { data: { kind: 'Rome, Italy' } });
  await admin.patch('/api/cms/notes/b', { data: { kind: 'C:\\, D:' } });
  await admin.patch('/api/cms/notes/c', { data: { kind: 'Rome' } });
  assert.equal(await slugs('filter[kind][in]=Rome\\,+Italy,none'), ['a']);
  assert.equal(await slugs('filter[kind][in]=Rome%5C%2C%20Italy,Rome'), ['a', 'c']);
  assert.equal(await slugs('filter[kind][nin]=Rome\\,+Italy'), ['b', 'c']);
  assert.equal(await slugs('filter[kind][in]=C:\\\\\\,+D:'), ['b']);
  assert.equal(await slugs('filter[kind]=Rome,+Italy'), ['a'], 'one value needs no escape');
  assert.equal(await slugs('filter[kind][in]=Rome,+Italy&filter[kind][in]=Italy,Rome'), ['c'], 'repeated: both match');
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
    'filter[createdAt][gt]=2026-02-31',
    'filter[createdAt][lt]=2026-01-02junk',
    'filter[status]=bogus',
    'filter[title][exists]=maybe',
    'filter[rank][]=1',
    `${Array.from({ length: 11 }, (_, n) => `filter[k${n}]=1`).join('&')}`,
  ])
    await refused(bad);
  assert.is((await anonymous.get('/api/content/notes?filter[createdAt][gt]=2026-02-31')).status, 400);
  assert.is((await admin.get('/api/cms/nothing?filter[rank]=high')).status, 404);
  assert.equal((await admin.get('/api/cms/posts?filter[_fieldMeta][exists]=true')).json.total, 0);
});

test.run();
