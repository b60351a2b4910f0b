// The parts of a list that need no browser.
import '../../src/admin/text/en-lists.ts';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../../src/admin/api/client.ts';
import type { CollectionInfo } from '../../src/admin/config/manifest.ts';
import { toStep } from '../../src/admin/screens/list/bulk-actions.ts';
import { firstColumns, listColumns, toCell } from '../../src/admin/screens/list/columns.ts';
import { moveBy } from '../../src/admin/screens/list/grid-keys.ts';
import type { StatusTab } from '../../src/admin/screens/list/list-query.ts';
import {
  type ListState,
  parseListState,
  TABS,
  toFilter,
  toPageUrl,
  toSearch,
} from '../../src/admin/screens/list/list-query.ts';
import { countOffers } from '../../src/admin/screens/list/possible.ts';
import { createRowPages, type ListDocument, PAGE } from '../../src/admin/screens/list/row-pages.ts';
import { runBulk, undoBulk } from '../../src/admin/screens/list/run-bulk.ts';
import {
  type DocumentSelection,
  refreshSelection,
  type SelectedDocument,
} from '../../src/admin/screens/list/selection.ts';
import { MAX_CONTENT_PX, scrollTopFor, toWindow } from '../../src/admin/screens/list/windowing.ts';
import { listDestinations } from '../../src/admin/shell/destinations.ts';
import { countSelected, EVERYTHING, isSelected, NOTHING, select, unselect } from '../../src/admin/ui/selection.ts';

const POSTS: CollectionInfo = {
  name: 'posts',
  label: 'Posts',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'richtext' },
    { name: 'rank', type: 'number', label: 'Rank' },
    { name: 'tags', type: 'tags' },
    { name: 'mood', type: 'select', options: [{ label: 'Glad', value: 'g' }] },
  ],
};

const doc = (part: Partial<ListDocument> = {}): ListDocument => ({
  ...{ id: 'a', slug: 'a', status: 'draft', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
  data: {},
  ...part,
});

const views = fc
  .record({
    total: fc.nat(2_000_000),
    rowHeight: fc.integer({ min: 20, max: 100 }),
    height: fc.integer({ min: 50, max: 3000 }),
  })
  .chain((size) => {
    const content = Math.min(size.total * size.rowHeight, MAX_CONTENT_PX);
    return fc.nat(Math.max(0, content - size.height)).map((scrollTop) => ({ ...size, scrollTop }));
  });

test('every row that is in view is drawn where it is seen, in lists of any length, and few others are', () => {
  fc.assert(
    fc.property(views, (view) => {
      const { first, end, topOf, contentHeight } = toWindow(view);
      assert.ok(first >= 0 && end <= view.total && contentHeight <= MAX_CONTENT_PX);
      assert.ok(end - first <= Math.ceil(view.height / view.rowHeight) + 18);
      const bottom = Math.min(view.scrollTop + view.height, contentHeight);
      if (first > 0) assert.ok(topOf(first) <= view.scrollTop);
      if (end < view.total) assert.ok(topOf(end) >= bottom - 1);
    }),
  );
});

test('both ends of a list can be reached by scrolling', () => {
  fc.assert(
    fc.property(views, (view) => {
      assert.is(toWindow({ ...view, scrollTop: 0 }).first, 0);
      assert.is(toWindow({ ...view, scrollTop: Number.MAX_SAFE_INTEGER }).end, view.total);
    }),
  );
});

test('a row that is gone to is seen whole afterwards, and one that is seen already moves nothing', () => {
  const goTo = views.filter(({ total, height, rowHeight }) => total > 0 && height > rowHeight + 1);
  fc.assert(
    fc.property(goTo, fc.double({ min: 0, max: 1, noNaN: true }), (view, share) => {
      const index = Math.min(view.total - 1, Math.floor(view.total * share));
      const scrollTop = scrollTopFor(index, view);
      const top = toWindow({ ...view, scrollTop }).topOf(index);
      assert.ok(top >= scrollTop - 1, `${top} is above ${scrollTop}`);
      assert.ok(top + view.rowHeight <= scrollTop + view.height + 1, `${top} is below`);
      assert.ok(Math.abs(scrollTopFor(index, { ...view, scrollTop }) - scrollTop) < 1);
    }),
  );
});

const states = fc.record({
  q: fc.string(),
  status: fc.constantFrom(...TABS),
  locale: fc.constantFrom('', 'de', '!de'),
  tag: fc.string(),
  sort: fc.constantFrom('updatedAt', 'title', 'rank'),
  order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
});

test('what a list shows is read from its address as it was written there', () => {
  fc.assert(
    fc.property(states, (state) => {
      assert.equal(parseListState(toSearch(state, POSTS), POSTS), { ...state });
    }),
  );
});

const START: ListState = { q: '', status: 'all', locale: '', tag: '', sort: 'updatedAt', order: 'desc' };

test('a list begins as its collection says, and nonsense in the address is as nothing', () => {
  assert.equal(parseListState('?status=nonsense&order=up', POSTS), START);
  assert.is(toSearch(START, POSTS), '');
  const sorted = (sort: NonNullable<CollectionInfo['ui']>['sort']) => {
    const { sort: key, order } = parseListState('', { ...POSTS, ui: { sort } as CollectionInfo['ui'] & object });
    return `${key} ${order}`;
  };
  assert.is(sorted('rank'), 'rank asc');
  assert.is(sorted('-rank'), 'rank desc');
  assert.is(sorted({ orderBy: 'rank' }), 'rank desc');
});

test('the API is asked for what the address says', () => {
  const query = (part: Partial<ListState>) => decodeURIComponent(toFilter({ ...START, ...part }).toString());
  assert.is(query({}), '');
  assert.is(
    query({ q: ' a b ', status: 'scheduled', locale: '!de', tag: 'x' }),
    'q=a+b&scheduled=true&missingLocale=de&tags=x',
  );
  assert.is(query({ status: 'draft', locale: 'de', tag: 'a,b' }), 'status=draft&locale=de&filter[tags]=a,b');
  assert.is(
    toPageUrl('posts', START, { offset: 200, limit: 100, fields: ['title'] }),
    '/api/cms/posts?orderBy=updatedAt&order=desc&offset=200&limit=100&fields=title',
  );
});

const SIZE = { rows: 100, columns: 4, page: 10, hasHeader: true };
const press = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

test('keys move in the grid and stay in it', () => {
  const at = { row: 5, column: 1 };
  assert.equal(moveBy(press('ArrowDown'), at, SIZE), { row: 6, column: 1 });
  assert.equal(moveBy(press('k'), at, SIZE), { row: 4, column: 1 });
  assert.equal(moveBy(press('ArrowUp'), { row: 0, column: 1 }, SIZE), { row: -1, column: 1 });
  assert.equal(moveBy(press('ArrowUp'), { row: 0, column: 1 }, { ...SIZE, hasHeader: false }), { row: 0, column: 1 });
  assert.equal(moveBy(press('End', { ctrlKey: true }), at, SIZE), { row: 99, column: 3 });
  assert.equal(moveBy(press('PageDown'), { row: 95, column: 0 }, SIZE), { row: 99, column: 0 });
  assert.is(moveBy(press('a'), at, SIZE), undefined);
  assert.is(moveBy(press('ArrowDown', { altKey: true }), at, SIZE), undefined);
  assert.is(moveBy(press('toString'), at, SIZE), undefined);
});

const chosen = (id: string, status: ListDocument['status'] = 'draft') => ({ id, slug: id, status, title: id });

test('a selection of everything has exceptions, and one of some has a count of its own', () => {
  const some = select(NOTHING, [chosen('a'), chosen('b')], true);
  assert.is(countSelected(some, 10), 2);
  assert.is(countSelected(select(some, [chosen('a')], false), 10), 1);
  const most = select(EVERYTHING, [chosen('a')], false);
  assert.equal([isSelected(most, 'a'), isSelected(most, 'b'), countSelected(most, 10)], [false, true, 9]);
  assert.is(countSelected(select(most, [chosen('a')], true), 10), 10);
});

test('the columns at first are those of the configuration; a cell has the words of its type', () => {
  const columns = listColumns(POSTS, true);
  assert.equal(
    columns.map(({ key }) => key),
    ['status', 'rank', 'tags', 'mood', 'locale', 'slug', 'publishAt', 'createdAt', 'updatedAt'],
  );
  assert.equal(firstColumns(POSTS, columns), ['status', 'tags', 'locale', 'updatedAt']);
  assert.equal(firstColumns({ ...POSTS, ui: { columns: ['rank', 'gone'] } }, columns), ['rank']);
  const cell = (key: string, data: Record<string, unknown>, part: Partial<ListDocument> = {}) => {
    const column = columns.find((one) => one.key === key)!;
    const nowMs = Date.parse('2026-01-01T00:05:00Z');
    return toCell(doc({ data, ...part }), column, { nowMs, defaultLocale: 'en', titleOf: () => undefined }).text;
  };
  assert.is(cell('mood', { mood: 'g' }), 'Glad');
  assert.is(cell('rank', { rank: 1234.5 }), '1,234.5');
  assert.is(cell('tags', { tags: ['a', 'b'] }), 'a, b');
  assert.is(cell('rank', { rank: { odd: true } }), '{"odd":true}');
  assert.is(cell('locale', {}), 'English');
  assert.is(cell('locale', {}, { locale: 'de' }), 'German');
  assert.is(cell('updatedAt', {}), '5 minutes ago');
  assert.is(cell('mood', {}), '');
});

/** Documents by their number, whose pages come when they are let go. */
function slowList(total: number) {
  const asked: number[] = [];
  const pages = createRowPages(async (offset, limit, signal) => {
    asked.push(offset / PAGE);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const documents = Array.from({ length: Math.min(limit, Math.max(0, total - offset)) }, (_, at) =>
      doc({ id: String(offset + at) }),
    );
    return { documents, total };
  });
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { asked, pages, settle };
}

test('rows are loaded where one looks, what was passed by is not, and far pages are forgotten', async () => {
  const { asked, pages, settle } = slowList(100_000);
  pages.want(0, 1);
  await settle();
  assert.is(pages.total.value, 100_000);
  for (const row of [10_000, 30_000, 50_000]) pages.want(row, row + 30);
  await settle();
  assert.is(pages.at(50_000)?.id, '50000');
  assert.is(pages.at(10_000), undefined);
  pages.want(99_990, 100_000);
  await settle();
  assert.is(pages.at(99_999)?.id, '99999');
  const before = asked.length;
  pages.want(99_950, 100_000);
  await settle();
  assert.is(asked.length, before);
  for (let page = 100; page < 200; page++) {
    pages.want(page * PAGE, page * PAGE + 20);
    await settle();
  }
  assert.is(pages.at(0), undefined);
  assert.is(pages.at(19_900)?.id, '19900');
});

test('a range has all of its rows, whether they were in view or not, and a change reads what is in view again', async () => {
  const { asked, pages, settle } = slowList(1000);
  pages.want(0, 1);
  await settle();
  const range = await pages.range(50, 350);
  assert.equal(
    range.map(({ id }) => Number(id)),
    Array.from({ length: 300 }, (_, at) => 50 + at),
  );
  const before = asked.length;
  pages.refresh();
  assert.is(pages.at(5)?.id, '5');
  await settle();
  assert.equal(asked.slice(before), [0]);
});

test('what is so already is left alone, and each change names its way back', () => {
  const step = (kind: 'publish' | 'unpublish' | 'archive', status: ListDocument['status']) => {
    const made = toStep({ kind }, chosen('a', status));
    return made && [made.operation, made.undo];
  };
  assert.is(step('publish', 'published'), undefined);
  assert.is(step('unpublish', 'archived'), undefined);
  assert.equal(step('publish', 'draft'), [
    { op: 'publish', id: 'a' },
    { op: 'unpublish', id: 'a' },
  ]);
  assert.equal(step('unpublish', 'published'), [
    { op: 'unpublish', id: 'a' },
    { op: 'publish', id: 'a' },
  ]);
  assert.equal(step('archive', 'draft'), [
    { op: 'update', id: 'a', status: 'archived' },
    { op: 'update', id: 'a', status: 'draft' },
  ]);
  assert.is(toStep({ kind: 'tag', tags: ['x'] }, { ...chosen('a'), tags: ['x'] }), undefined);
});

test('work on many goes in batches; what is refused is named, a lost connection too, and the rest is done', async () => {
  const sent: number[] = [];
  const client: Client = async (_method, _url, options) => {
    const { operations } = options!.body as { operations: { id: string }[] };
    sent.push(operations.length);
    if (sent.length === 2) throw new Error('the connection is lost');
    const results = operations.map(({ id }) => (id === '7' ? { status: 409, error: 'locked' } : { status: 200 }));
    return { status: 200, data: { results } as never, etag: undefined };
  };
  const progress: number[] = [];
  const run = {
    request: client,
    collection: 'posts',
    signal: new AbortController().signal,
    onProgress: (done: number) => void progress.push(done),
  };
  const all = Array.from({ length: 250 }, (_, at) => chosen(String(at)));
  const report = await runBulk({ kind: 'publish' }, all, run);
  assert.equal(sent, [100, 100, 50]);
  assert.equal(progress, [100, 200, 250]);
  assert.is(report.done.length, 149);
  assert.is(report.failures.length, 101);
  assert.equal(report.failures[0], { document: all[7], reason: 'locked' });
  const undone = await undoBulk({ kind: 'publish' }, report.done, run);
  assert.is(undone.done.length, 149);
});

test('the navigation has the collections by their groups, and only what one may see', () => {
  const collections = [POSTS, { ...POSTS, name: 'shop', label: 'Shop', ui: { group: 'Trade', icon: 'box' } }];
  const groups = listDestinations({ manifest: { collections }, may: () => true });
  const paths = (may: boolean) =>
    listDestinations({ manifest: { collections }, may: () => may }).flatMap(({ destinations }) =>
      destinations.map(({ path }) => path),
    );
  assert.ok(groups.some(({ label, destinations }) => label === 'Trade' && destinations[0]?.icon === 'box'));
  assert.ok(paths(true).includes('/admin/content/posts'));
  assert.equal(paths(false), ['/admin']);
});

test('an action is offered for the part of a selection that it can be done to', () => {
  const author = (permission: string) => permission === 'content:draft';
  const editor = (permission: string) => permission !== 'media:delete';
  const one = (id: string, status: 'draft' | 'published' | 'archived', publishAt?: string) => ({
    ...{ id, slug: id, title: id, status },
    ...(publishAt ? { publishAt } : {}),
  });
  const documents = [one('a', 'draft'), one('b', 'published'), one('c', 'archived'), one('d', 'draft', '2126-01-01')];
  const some = select<SelectedDocument>(NOTHING, documents, true);
  const facets = { total: 9, status: { draft: 4, published: 5, archived: 0 }, locale: {}, tags: [], scheduled: 1 };
  const offers = (selection: DocumentSelection, may: (permission: string) => boolean, status: StatusTab = 'all') =>
    Object.fromEntries(countOffers(selection, { state: { status }, facets, may }));
  assert.equal(offers(some, author), { archive: 1, delete: 2, tag: 2 });
  assert.equal(offers(some, editor), { publish: 3, unpublish: 1, archive: 3, delete: 4, tag: 4 });
  assert.equal(offers(EVERYTHING, editor), { publish: 4, unpublish: 5, archive: 9, delete: 9, tag: 9 });
  assert.equal(offers(EVERYTHING, editor, 'published'), { unpublish: 5, archive: 5, delete: 5, tag: 5 });
  assert.equal(offers(EVERYTHING, author, 'published'), {});
  // Some of the drafts may be scheduled.
  assert.equal(offers(EVERYTHING, author), { archive: undefined, delete: undefined, tag: undefined });
  assert.equal(offers(EVERYTHING, author, 'scheduled'), {});
});

test('what changed since it was selected is known, and what is gone is not selected', () => {
  const was: SelectedDocument = { id: 'a', slug: 'a', title: 'A', status: 'draft' };
  const selection = select<SelectedDocument>(NOTHING, [was], true);
  assert.is(refreshSelection(selection, [was, { ...was, id: 'b' }]), selection);
  const news = refreshSelection(selection, [{ ...was, status: 'published' }]);
  assert.is(news.kind === 'some' && news.items.get('a')?.status, 'published');
  assert.is(countSelected(unselect(news, ['a', 'z']), 5), 0);
});

test.run();
