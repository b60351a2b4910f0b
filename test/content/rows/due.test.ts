// What a document's schedule requires, and which documents wait for a scheduled time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import type { Status, StoredDocument } from '../../../src/content/document.ts';
import { type DueStep, dueStep } from '../../../src/content/due.ts';
import { createDueTimes } from '../../../src/content/rows/due-times.ts';
import { toRow } from '../../../src/content/rows/row.ts';
import { createContentView } from '../../../src/content/rows/view.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import { createRandom } from '../../support/random.ts';
import { CONFIG, makeWorld } from '../../support/world.ts';
import { makeStored, SYSTEM } from '../world.ts';

const [NINE, TEN, ELEVEN] = [9, 10, 11].map((hour) => new Date(Date.UTC(2026, 0, 2, hour)).toISOString()) as [
  string,
  string,
  string,
];
const LATER = '2026-02-01T00:00:00.000Z';
const NOW = new Date(Date.UTC(2026, 0, 2, 12));
const SITE = compileSite(parseConfig(CONFIG));
const POSTS = SITE.collections.get('posts')!;

function makeDocument(change: Partial<StoredDocument>): StoredDocument {
  return makeStored(POSTS, change);
}

/** Every step that is due, each based on the result of the one before. */
function steps(status: Status, publishAt?: string, unpublishAt?: string): { whats: DueStep['what'][]; last: unknown } {
  let doc: Partial<StoredDocument> = { status, ...(publishAt && { publishAt }), ...(unpublishAt && { unpublishAt }) };
  const whats: DueStep['what'][] = [];
  for (let step = dueStep(makeDocument(doc), NOW); step; step = dueStep(makeDocument(doc), NOW)) {
    whats.push(step.what);
    const merged = Object.entries({ ...doc, ...step.change }).filter(([, value]) => value !== null);
    doc = Object.fromEntries(merged);
    if (whats.length > 3) throw new Error('never ends');
  }
  return { whats, last: doc };
}

test('a step that is due in the past happens, and its time is removed', () => {
  for (const status of ['draft', 'archived', 'published'] as const) {
    assert.equal(steps(status, TEN), { whats: ['published'], last: { status: 'published' } });
  }
  assert.equal(steps('published', undefined, TEN), { whats: ['unpublished'], last: { status: 'archived' } });
  assert.equal(steps('draft', NOW.toISOString()), { whats: ['published'], last: { status: 'published' } });
});

test('a step in the future waits', () => {
  assert.equal(steps('draft', LATER), { whats: [], last: { status: 'draft', publishAt: LATER } });
  assert.equal(steps('published', undefined, LATER).whats, []);
  assert.equal(steps('draft', TEN, LATER), {
    whats: ['published'],
    last: { status: 'published', unpublishAt: LATER },
  });
});

test('publication and withdrawal that are both due happen in the order of their times', () => {
  assert.equal(steps('draft', TEN, ELEVEN), { whats: ['published', 'unpublished'], last: { status: 'archived' } });
  assert.equal(steps('published', TEN, NINE), { whats: ['unpublished', 'published'], last: { status: 'published' } });
  assert.equal(steps('draft', TEN, TEN), { whats: ['published', 'unpublished'], last: { status: 'archived' } });
});

test('a withdrawal that passed while there was nothing to withdraw does not withdraw a later publication', () => {
  assert.equal(steps('draft', TEN, NINE), { whats: ['published'], last: { status: 'published' } });
  assert.equal(steps('draft', undefined, NINE).whats, []);
  assert.equal(steps('archived', undefined, NINE).whats, []);
});

test('documents wait in the order of their times, and only those that have one', () => {
  const view = createContentView(SITE, 'c0');
  const due = createDueTimes(view);
  const put = (id: string, change: Partial<StoredDocument>) =>
    view.put(toRow(makeDocument({ id, slug: id.toLowerCase(), ...change }), 'e', POSTS), 'c1');
  put('A00000000000', {});
  put('B00000000000', { publishAt: ELEVEN });
  put('C00000000000', { publishAt: TEN, unpublishAt: LATER });
  put('D00000000000', { unpublishAt: NINE });
  put('E00000000000', { unpublishAt: NINE, status: 'published' });
  put('F00000000000', { unpublishAt: NINE, publishAt: LATER });
  const ids = (rows: Iterable<{ id: string }>): string => [...rows].map(({ id }) => id[0]).join('');
  assert.is(ids(due.waiting('publish')), 'CBF');
  assert.is(ids(due.waiting('unpublish')), 'EFC');
  assert.is(ids(due.due(NOW)), 'CBE');
  assert.is(ids(due.due(new Date(TEN))), 'CE');
  put('C00000000000', { publishAt: LATER });
  put('B00000000000', {});
  view.remove(view.byId('E00000000000')!, 'c2');
  assert.is(ids(due.waiting('publish')), 'CF');
  assert.is(ids(due.waiting('unpublish')), 'F');
  assert.is(ids(due.due(NOW)), '');
});

test('a document that changes while the index of times is filled is in it with its present time', () => {
  const random = createRandom(7);
  const view = createContentView(SITE, 'c0');
  const time = () => (random.whole(0, 2) ? new Date(Date.UTC(2026, random.whole(0, 11))).toISOString() : undefined);
  const change = (): void => {
    const id = `N${String(random.whole(0, 1999)).padStart(11, '0')}`;
    const row = view.byId(id);
    if (row && random.whole(0, 3) === 0) view.remove(row, 'c1');
    const status = random.whole(0, 1) ? 'draft' : 'published';
    const [publishAt, unpublishAt] = [time(), time()];
    const doc = {
      id,
      slug: id.toLowerCase(),
      status,
      ...(publishAt && { publishAt }),
      ...(unpublishAt && { unpublishAt }),
    };
    view.put(toRow(makeDocument(doc as Partial<StoredDocument>), 'e', POSTS), 'c1');
  };
  for (let i = 0; i < 3000; i++) change();
  const due = createDueTimes(view);
  for (const _ of due.fill()) for (let i = 0; i < 50; i++) change();
  const rows = [...view.collection('posts')!.rows.values()];
  const expected = rows.filter((row) => row.publishAt !== undefined).map((row) => `${row.publishAt} ${row.id}`);
  assert.ok(expected.length > 500);
  assert.equal(
    [...due.waiting('publish')].map((row) => `${row.publishAt} ${row.id}`),
    expected.sort(),
  );
});

test('a scheduled change is decided on what the last write left, and is one commit', async () => {
  await using world = await makeWorld({ now: NOW.toISOString() });
  const { content, due } = world.site();
  await content.create('posts', { slug: 'a', data: { title: 'A' }, publishAt: TEN, unpublishAt: ELEVEN }, SYSTEM);
  await content.create('posts', { slug: 'b', data: { title: 'B' }, publishAt: TEN }, SYSTEM);
  await due.ready;
  const idOf = (slug: string): string => world.site().view.bySlug('posts', slug)!.id;
  assert.is(due.due(NOW).length, 2);
  // Not durable yet, but the decision sees it.
  const cleared = content.update('posts', { slug: 'b' }, { publishAt: null }, SYSTEM);
  assert.is(await content.applyDue('posts', idOf('b'), SYSTEM), undefined);
  await cleared;
  const { result, events } = await world.appended(() =>
    Promise.all([1, 2, 3].map(() => content.applyDue('posts', idOf('a'), SYSTEM))),
  );
  assert.equal(result, ['published', 'unpublished', undefined]);
  assert.equal(
    events.map(({ trailers }) => `${trailers.Event} ${trailers.Fields} ${trailers.Actor}`),
    ['document.published status, publishAt system', 'document.archived status, unpublishAt system'],
  );
  assert.equal(due.due(NOW), []);
  assert.is(await content.applyDue('posts', 'nobody', SYSTEM), undefined);
});

test.run();
