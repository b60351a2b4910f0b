import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ANONYMOUS, type Principal } from '../../src/access/principal.ts';
import type { Call, Route } from '../../src/http/route.ts';
import { createTextIndex } from '../../src/search/engine/text-index.ts';
import { type SearchSite, searchRoutes } from '../../src/search/routes.ts';
import { createSearch, type SearchService } from '../../src/search/service.ts';

type Sample = [key: string, collection: string, status: string, title: string, locale?: string];

const SAMPLES: Sample[] = [
  ['a', 'posts', 'published', 'Tea time', 'en'],
  ['b', 'posts', 'draft', 'Tea drafts', 'en'],
  ['c', 'pages', 'published', 'Teezeit', 'de'],
  ['media:img/tea.png', 'media', 'published', 'tea.png'],
];

function makeSearch(samples: Sample[] = SAMPLES): SearchService {
  const index = createTextIndex();
  for (const [time, [key, collection, status, title, locale]] of samples.entries()) {
    index.put({
      key,
      collection,
      status,
      title,
      slug: `slug-${key}`,
      texts: ['word'],
      time,
      ...(locale && { locale }),
    });
  }
  return createSearch({
    index,
    findMatchingIds: async () => '',
    names: { checkLocale: () => undefined, warningsOf: () => [] },
    describe(key) {
      const found = samples.find(([each]) => each === key);
      if (found === undefined || found[3] === 'gone') return undefined;
      const [, collection, status, title] = found;
      return { collection, collectionLabel: collection.toUpperCase(), slug: `slug-${key}`, title, status };
    },
  });
}

const slugs = async (search: SearchService, query: object, viewer?: { publishedOnly: boolean }): Promise<string[]> =>
  (await search.search({ q: 'word', ...query }, viewer)).items.map(({ slug }) => slug).sort();

async function code(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error) => error.code,
  );
}

test('a result has the keys of the contract and no others', async () => {
  const { items, total } = await makeSearch().search({ q: 'tea time' });
  assert.is(total, 1);
  assert.equal(items, [
    {
      collection: 'posts',
      collectionLabel: 'POSTS',
      slug: 'slug-a',
      title: 'Tea time',
      status: 'published',
      matchedIn: 'title',
    },
  ]);
});

test('collection, status and locale narrow a search, and an unknown value finds nothing', async () => {
  const search = makeSearch();
  assert.equal(await slugs(search, { collection: 'posts' }), ['slug-a', 'slug-b']);
  assert.equal(await slugs(search, { collection: 'media' }), ['slug-media:img/tea.png']);
  assert.equal(await slugs(search, { status: 'draft' }), ['slug-b']);
  assert.equal(await slugs(search, { locale: 'en', status: 'published' }), ['slug-a']);
  assert.is((await slugs(search, { status: 'all' })).length, 4);
  assert.equal(await slugs(search, { collection: 'nope' }), []);
});

test('an anonymous viewer finds published documents only', async () => {
  const search = makeSearch();
  const viewer = { publishedOnly: true };
  assert.equal(await slugs(search, {}, viewer), ['slug-a', 'slug-c', 'slug-media:img/tea.png']);
  assert.equal(await slugs(search, { status: 'published' }, viewer), await slugs(search, {}, viewer));
  assert.equal(await search.search({ q: 'word', status: 'draft' }, viewer), { items: [], total: 0 });
  assert.is((await search.search({ q: 'word', status: 'all' }, viewer)).total, 3);
});

test('a document that is gone is left out', async () => {
  assert.equal(await slugs(makeSearch([...SAMPLES, ['x', 'posts', 'draft', 'gone']]), { status: 'draft' }), ['slug-b']);
});

test('a document unpublished after the index was queried is hidden from viewers who may not see drafts', async () => {
  const found = { items: [{ key: 'a', matchedIn: 'title' as const }], total: 1 };
  const draft = { collection: 'posts', collectionLabel: 'Posts', slug: 'slug-a', title: 'Secret', status: 'draft' };
  const search = createSearch({
    index: { query: async () => found },
    describe: () => draft,
    findMatchingIds: async () => '',
    names: { checkLocale: () => undefined, warningsOf: () => [] },
  });
  assert.equal(await slugs(search, {}, { publishedOnly: true }), []);
  assert.equal(await slugs(search, { status: 'published' }), []);
  assert.equal(await slugs(search, {}), ['slug-a']);
});

test('limit is 50 unless asked for, at most 500, and total counts every match', async () => {
  const many = Array.from({ length: 700 }, (_, i): Sample => [`k${i}`, 'posts', 'published', 'Title']);
  const search = makeSearch(many);
  const length = async (query: object) => (await search.search({ q: 'word', ...query })).items.length;
  assert.is(await length({}), 50);
  assert.is(await length({ limit: 3 }), 3);
  assert.is(await length({ limit: 501 }), 500);
  assert.is(await length({ limit: Number.MAX_SAFE_INTEGER }), 500);
  assert.is(await length({ offset: 690 }), 10);
  assert.is(await length({ offset: Number.MAX_SAFE_INTEGER }), 0);
  assert.is((await search.search({ q: 'word', limit: 1, offset: 5 })).total, 700);
});

test('a limit or an offset out of range is refused', async () => {
  const search = makeSearch();
  for (const bad of [
    { limit: 0 },
    { limit: -1 },
    { limit: 1.5 },
    { limit: Number.NaN },
    { offset: -1 },
    { offset: 0.5 },
  ]) {
    assert.is(await code(search.search({ q: 'word', ...bad })), 'invalid_input', JSON.stringify(bad));
  }
  assert.is(await code(search.search({ q: '?!' })), 'invalid_input');
  assert.is(await code(search.search({ q: '?!', status: 'draft' }, { publishedOnly: true })), 'invalid_input');
});

const [declared] = searchRoutes() as [Route<SearchSite>];

const SIGNED_IN: Principal = { ...ANONYMOUS, kind: 'session', permissions: new Set(['content:read', 'media:read']) };

async function ask(query: Record<string, string>, principal: Principal = SIGNED_IN) {
  const site: SearchSite = { config: {}, search: makeSearch() };
  const call = { query: () => declared.query!.parse(query), principal, site };
  return declared.handle(call as unknown as Call<SearchSite, unknown, unknown>);
}

test('GET /api/search answers an array and X-Total-Count', async () => {
  const { status, headers, body } = await ask({ q: 'word', limit: '2' });
  assert.is(status ?? 200, 200);
  assert.equal(headers, { 'X-Total-Count': '4' });
  assert.is((body as unknown[]).length, 2);
  assert.equal(declared.answers[200]!.schema!.parse(body), body);
});

test('GET /api/search shows an anonymous caller published content only', async () => {
  assert.is((await ask({ q: 'word' }, ANONYMOUS)).headers?.['X-Total-Count'], '2');
  assert.is((await ask({ q: 'word' })).headers?.['X-Total-Count'], '4');
});

test('GET /api/search shows media to callers who may list them', async () => {
  const reader: Principal = { ...SIGNED_IN, permissions: new Set(['content:read']) };
  assert.is((await ask({ q: 'word' }, reader)).headers?.['X-Total-Count'], '3');
  assert.equal((await ask({ q: 'word', collection: 'media' }, reader)).body, []);
  assert.is(((await ask({ q: 'word', collection: 'media' })).body as unknown[]).length, 1);
});

test('GET /api/search admits anonymous callers if the site allows it', () => {
  const { allow } = declared;
  if (typeof allow !== 'object') throw new Error('anonymous callers are never admitted');
  const site = (publicRead?: boolean): SearchSite => ({ config: { api: { publicRead } }, search: makeSearch([]) });
  assert.is(allow.permission, 'content:read-published');
  assert.is(allow.anonymous(site(true), {}), true);
  assert.is(allow.anonymous(site(false), {}), false);
  assert.is(allow.anonymous({ ...site(), config: {} }, {}), false);
});

test('GET /api/search refuses parameters that make no sense', () => {
  const parses = (query: object) => declared.query!.safeParse(query).success;
  assert.ok(parses({ q: 'a', limit: '501', offset: '0', status: 'all', collection: 'media', locale: 'en' }));
  for (const bad of [
    {},
    { q: 'a', limit: '0' },
    { q: 'a', limit: '' },
    { q: 'a', limit: '1.5' },
    { q: 'a', limit: 'ten' },
    { q: 'a', offset: '-1' },
    { q: 'a', status: 'nope' },
    { q: 'a', collection: '' },
  ]) {
    assert.not(parses(bad), JSON.stringify(bad));
  }
});

test.run();
