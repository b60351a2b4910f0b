// Searches in lists, missing translations and counts against a naive model: any selection gives what a look at every
// document gives, and the counts are those of the lists that they are for.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import type { ListQuery, Viewer } from '../../../src/content/api.ts';
import { STATUSES, type Status, type StoredDocument } from '../../../src/content/document.ts';
import type { ListFilter } from '../../../src/content/lists/filter.ts';
import { createReads } from '../../../src/content/reads.ts';
import { toRow } from '../../../src/content/rows/row.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import { CONFIG } from '../../support/world.ts';

const SEED = 20260104;
const SITE = compileSite(parseConfig(CONFIG));
const SCHEMA = SITE.collections.get('posts')!;
const DAY = '2026-01-01T00:00:00.000Z';

interface Doc {
  id: string;
  slug: string;
  collection: string;
  status: Status;
  locale?: string;
  translationOf?: string;
  translationGroup?: string;
  publishAt?: string;
  unpublishAt?: string;
  createdAt: string;
  updatedAt: string;
  data: { title: string; tags?: string[] };
}

function makePair() {
  const view = createContentView(SITE, 'c0');
  const model = new Map<string, Doc>();
  let commits = 0;
  const findTexts = async (q: string, _: string, viewer?: Viewer): Promise<string[]> =>
    [...model.values()].filter((doc) => hasText(doc, q) && isSeen(doc, viewer)).map(({ id }) => id);
  return {
    model,
    reads: createReads(view, findTexts),
    put(doc: Doc): void {
      model.set(doc.id, doc);
      view.put(toRow(doc as StoredDocument, `e${++commits}`, SCHEMA), `c${commits}`);
    },
    remove(id: string): void {
      const row = view.byId(id);
      if (row) view.remove(row, `c${++commits}`);
      model.delete(id);
    },
  };
}

const hasText = ({ data }: Doc, q: string): boolean => data.title.includes(q);
const isSeen = ({ status }: Doc, viewer?: Viewer): boolean => !viewer?.publishedOnly || status === 'published';
const localeOf = ({ locale }: Doc): string => locale ?? 'en';
const isScheduled = ({ status, publishAt, unpublishAt }: Doc): boolean =>
  publishAt !== undefined || (unpublishAt !== undefined && status === 'published');

function isMissing(doc: Doc, locale: string, seen: readonly Doc[]): boolean {
  if (localeOf(doc) === locale) return false;
  const isTranslation = (one: Doc): boolean =>
    one.translationOf === doc.slug ||
    (one.translationGroup !== undefined && one.translationGroup === doc.translationGroup);
  return !seen.some((one) => localeOf(one) === locale && isTranslation(one));
}

function naive(model: ReadonlyMap<string, Doc>, query: ListQuery, viewer: Viewer): Doc[] {
  const seen = [...model.values()].filter((doc) => isSeen(doc, viewer));
  return seen.filter(
    (doc) =>
      (query.status === undefined || query.status === 'all' || doc.status === query.status) &&
      (query.locale === undefined || localeOf(doc) === query.locale) &&
      (query.q === undefined || hasText(doc, query.q)) &&
      (query.missingLocale === undefined || isMissing(doc, query.missingLocale, seen)) &&
      (!query.scheduled || isScheduled(doc)) &&
      (query.tags ?? []).every((tag) => doc.data.tags?.includes(tag)) &&
      (query.filter ?? []).every(({ value }) => doc.data.title === value),
  );
}

function naiveFacets(model: ReadonlyMap<string, Doc>, query: ListQuery, viewer: Viewer) {
  const { status, scheduled, ...other } = query;
  const tabs = naive(model, other, viewer);
  const { locale, ...everywhere } = query;
  const ofAll = naive(model, everywhere, viewer);
  const wanted = naive(model, query, viewer);
  const tags = [...new Set(wanted.flatMap(({ data }) => data.tags ?? []))].map((value) => ({
    value,
    count: wanted.filter(({ data }) => data.tags?.includes(value)).length,
  }));
  return {
    total: wanted.length,
    status: Object.fromEntries(STATUSES.map((one) => [one, tabs.filter((doc) => doc.status === one).length])),
    locale: Object.fromEntries(
      [...new Set(ofAll.map(localeOf))].sort().map((tag) => [tag, ofAll.filter((doc) => localeOf(doc) === tag).length]),
    ),
    tags: tags.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
    scheduled: tabs.filter(isScheduled).length,
  };
}

const optional = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const change = fc.record({
  id: fc.integer({ min: 0, max: 12 }),
  remove: fc.boolean(),
  status: fc.constantFrom<Status>(...STATUSES),
  locale: optional(['en', 'de']),
  translationOf: optional(['s1', 's2']),
  translationGroup: optional(['g1', 'g2']),
  publishAt: optional([DAY]),
  unpublishAt: optional([DAY]),
  title: fc.constantFrom('a', 'ab', 'b', 'abc'),
  tags: optional([['red'], ['red', 'blue'], ['blue', 'constructor'], []]),
});
const queries: fc.Arbitrary<ListQuery> = fc.record(
  {
    status: fc.constantFrom<Status | 'all'>(...STATUSES, 'all'),
    locale: fc.constantFrom('en', 'de'),
    q: fc.constantFrom('a', 'b', 'bc', 'nothing'),
    missingLocale: fc.constantFrom('en', 'de'),
    scheduled: fc.constant(true as const),
    tags: fc.subarray(['red', 'blue', 'constructor', 'nothing']),
    filter: fc.constantFrom<ListFilter[]>([{ key: 'title', op: 'eq', value: 'ab' }], []),
  },
  { requiredKeys: [] },
);

test('a selection and its counts are what a look at every document gives', async () => {
  const run = fc.asyncProperty(
    fc.array(change, { minLength: 5, maxLength: 40 }),
    fc.array(fc.tuple(queries, fc.boolean()), { minLength: 1, maxLength: 6 }),
    async (changes, asked) => {
      const { model, reads, put, remove } = makePair();
      for (const { id, remove: isRemoved, title, tags, ...rest } of changes) {
        if (isRemoved) remove(`id${id}`);
        const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
        const data = { title, ...(tags ? { tags } : {}) };
        const keys = { id: `id${id}`, slug: `s${id}`, collection: 'posts', createdAt: DAY, updatedAt: DAY, data };
        if (!isRemoved) put({ ...(given as Pick<Doc, 'status'>), ...keys });
      }
      for (const [query, publishedOnly] of asked) {
        const viewer = { publishedOnly };
        await reads.prepareList('posts', query, viewer);
        const { body, total } = reads.list('posts', query, viewer);
        const expected = naive(model, query, viewer);
        assert.is(total, expected.length);
        const ids = (JSON.parse(String(body)) as { documents: Doc[] }).documents.map(({ id }) => id);
        assert.equal(ids, expected.map(({ id }) => id).sort());
        const { facets } = await reads.facets('posts', query, viewer);
        assert.equal(facets, naiveFacets(model, query, viewer) as unknown);
        const { facets: again } = await reads.facets('posts', query, viewer);
        assert.equal(again, facets);
      }
    },
  );
  await fc.assert(run, { seed: SEED, numRuns: 400 });
});

test('a page of a search has the tag of the state that was searched, even if the collection has changed since', async () => {
  const { reads, put } = makePair();
  const keys = { collection: 'posts', status: 'published' as const, createdAt: DAY, updatedAt: DAY };
  put({ ...keys, id: 'id1', slug: 's1', data: { title: 'ab' } });
  const query: ListQuery = { q: 'a' };
  const viewer = { publishedOnly: false };
  const tagBefore = await tagOf({ ...query });
  await reads.prepareList('posts', query, viewer);
  put({ ...keys, id: 'id2', slug: 's2', data: { title: 'a' } });
  const page = reads.list('posts', query, viewer);
  assert.is(page.total, 1);
  assert.is(page.etag, tagBefore);
  assert.is.not(await tagOf({ ...query }), tagBefore);

  async function tagOf(fresh: ListQuery): Promise<string> {
    await reads.prepareList('posts', fresh, viewer);
    return reads.list('posts', fresh, viewer).etag;
  }
});

test.run();
