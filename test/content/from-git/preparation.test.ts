// External commits are read in slices between requests, and shown at once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createClaims } from '../../../src/content/from-git/claims.ts';
import { createPreparation } from '../../../src/content/from-git/preparation.ts';
import { showFiles } from '../../../src/content/from-git/show-files.ts';
import type { ContentView, RowChanges } from '../../../src/content/rows/view.ts';
import { commitBeside } from '../../support/external.ts';
import { untilTakenIn } from '../../support/store-world.ts';
import { makeWorld, START, type World } from '../../support/world.ts';

const COUNT = 3000;

function files(title: string): Record<string, string>;
function files(title: string, text: null): Record<string, null>;
function files(title: string, text?: null): Record<string, string | null> {
  const entries = Array.from({ length: COUNT }, (_, i) => {
    const id = `Many${String(i).padStart(8, '0')}`;
    const data = { title, body: 'Some text of the document. '.repeat(40) };
    const doc = { id, slug: `d${i}`, collection: 'posts', status: 'draft', createdAt: START, updatedAt: START, data };
    return [`content/posts/d${i}.json`, text === null ? null : `${JSON.stringify(doc, null, 2)}\n`];
  });
  return Object.fromEntries(entries);
}

/** The same documents with other slugs. */
function moveTo(path: string, text: string): [string, string] {
  return [path.replace('/d', '/moved-d'), text.replace('"slug": "d', '"slug": "moved-d')];
}

async function commit(world: World, changed: Record<string, string | null>, ref?: string) {
  const { store } = world.site();
  await store.log.flush();
  const from = store.log.status().gitHead!;
  const to = commitBeside(store.repository, changed, [from], ref);
  store.odb.refresh();
  const versionAt = (commit: string) => ({ commit, tree: store.treeOf(commit) });
  return { from: versionAt(from), to: versionAt(to) };
}

function partsOf(view: ContentView, world: World) {
  const { odb, log } = world.site().store;
  return { view, odb, has: log.has, warnings: new Map(), claims: createClaims(), warn: () => undefined };
}

test('what a commit changed is read slice by slice, and nothing shows before it is applied', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { view } = world.site();
  const { from, to } = await commit(world, files('first'));
  const preparation = createPreparation(partsOf(view, world));
  let slices = 1;
  while (!preparation.step(from, to)) slices++;
  assert.ok(slices > 1, `${slices} slices`);
  assert.is(view.size, 1);
  assert.is(preparation.handOver(from, from), undefined, 'other trees');
  while (!preparation.step(from, to));
  assert.is(preparation.handOver(from, to)?.files.list.length, COUNT);
  assert.is(preparation.handOver(from, to), undefined, 'it is handed over once');
});

test('after a long last step the changes are shown in a later turn', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { view } = world.site();
  const [[path, text]] = Object.entries(files('first')) as [[string, string]];
  const { from, to } = await commit(world, { [path]: text });
  const { now } = performance;
  let nowMs = 0;
  /** Twice for each file: when it is read, and at the very end. */
  const slow = {
    ...view,
    byId(id: string) {
      nowMs += 3;
      return view.byId(id);
    },
  };
  const preparation = createPreparation(partsOf(slow, world));
  performance.now = () => nowMs;
  try {
    assert.is(preparation.step(from, to), false);
    assert.is(preparation.step(from, to), true);
  } finally {
    performance.now = now;
  }
  assert.is(preparation.handOver(from, to)?.files.list.length, 1);
});

test('showing what was prepared looks nothing up in the view, except what changed meanwhile', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await commit(world, files('first'), 'refs/heads/main');
  const site = world.site();
  await untilTakenIn(site.store);
  const moved = Object.fromEntries(Object.entries(files('second')).map(([path, text]) => moveTo(path, text)));
  const { from, to } = await commit(world, { ...files('gone', null), ...moved });
  let looks = 0;
  const count =
    <A extends unknown[], R>(look: (...args: A) => R) =>
    (...args: A): R => {
      looks++;
      return look(...args);
    };
  const view = { ...site.view, bySlug: count(site.view.bySlug), byId: count(site.view.byId), change: shown };
  const parts = partsOf(view, world);
  const preparation = createPreparation(parts);
  while (!preparation.step(from, to));
  // Another document gets a slug of the commit, and one of the commit's documents changes.
  const row = site.view.bySlug('posts', 'd7')!;
  site.view.put({ ...row, id: 'Comes0000001', slug: 'moved-d9' }, 'c1');
  site.view.put({ ...row, etag: 'e'.repeat(40) }, 'c2');
  const prepared = preparation.handOver(from, to)!;
  looks = 0;
  let changes: RowChanges | undefined;
  function shown(made: RowChanges): void {
    changes = made;
  }
  showFiles(parts, prepared.files, 'c3');
  assert.ok(looks > 0 && looks < 10, `${looks} looks`);
  assert.is(changes?.put.length, COUNT);
  assert.equal(
    changes?.removed.map(({ id, slug }) => [id, slug]),
    [['Comes0000001', 'moved-d9']],
  );
});

test('writes and reads continue while a commit is read, and the changes of both sides are there in the end', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await commit(world, files('first'), 'refs/heads/main');
  let writes = 0;
  for (; world.site().view.size < COUNT + 1; writes++) {
    assert.ok(writes < 2000);
    const reply = await world.admin.patch('/api/cms/posts/a', { data: { rank: writes } });
    assert.is(reply.status, 200);
  }
  await world.site().store.log.flush();
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.rank, writes - 1);
  assert.is((await world.admin.get('/api/cms/posts/d7')).json.data.title, 'first');
  assert.is((await world.admin.get(`/api/search?q=first&limit=1`)).headers['x-total-count'], String(COUNT));
  assert.equal((await world.admin.get('/readyz')).json.warnings, []);
});

test.run();
