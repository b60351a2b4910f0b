// Layouts of a collection's files: which files are moved, what a start advises, and what readers notice.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  FLAT_ADVISED,
  type LayoutParts,
  layoutAdvice,
  planLayout,
  readLayout,
} from '../../../src/content/from-git/layout.ts';
import { type Oid, oidOf } from '../../../src/store/git/objects.ts';
import { encodeTreeEntry, FILE_MODE, TREE_MODE } from '../../../src/store/git/tree.ts';
import { createTreeLookup } from '../../../src/store/git/tree-lookup.ts';
import { commitBeside } from '../../support/external.ts';
import { eventually } from '../../support/process.ts';
import { untilTakenIn } from '../../support/store-world.ts';
import { makeWorld, type World } from '../../support/world.ts';

type Folder = { [name: string]: Folder | string };

/** Trees in memory; a text is a file. */
function makeTrees(folder: Folder): LayoutParts {
  const trees = new Map<Oid, Buffer>();
  const put = (children: Folder): Oid => {
    const entries = Object.entries(children).map(([name, child]) =>
      typeof child === 'string'
        ? encodeTreeEntry(name, FILE_MODE, oidOf('blob', Buffer.from(child)))
        : encodeTreeEntry(name, TREE_MODE, put(child)),
    );
    const content = Buffer.concat(entries);
    const oid = oidOf('tree', content);
    trees.set(oid, content);
    return oid;
  };
  const root = put(folder);
  const readTree = (oid: Oid): Buffer => trees.get(oid)!;
  return { root, readTree, lookup: createTreeLookup(readTree) };
}

const many = (count: number): Folder =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}.json`, 'x']));

test('only files that can be documents are moved, each to its one place in the other layout', () => {
  const posts = {
    'Odd.json': '1',
    'a.json': '2',
    'hello.json': '3',
    'notes.txt': '4',
    aa: { 'hello.json': '5', 'wrong.json': '6' },
    docs: { 'b.json': '7' },
  };
  const layout = readLayout(makeTrees({ content: { posts } }), 'posts');
  const blob = oidOf('blob', Buffer.from('2'));
  assert.equal(planLayout(layout, 'posts', true), {
    moves: [{ from: 'content/posts/a.json', to: 'content/posts/86/a.json', oid: blob }],
    blocked: [{ from: 'content/posts/hello.json', to: 'content/posts/aa/hello.json' }],
  });
  assert.equal(planLayout(layout, 'posts', false).moves, []);
  assert.equal(planLayout(readLayout(makeTrees({}), 'posts'), 'posts', true), { moves: [], blocked: [] });
});

test('a start advises shards for a wide flat folder, and a move for a sharded collection', () => {
  const advise = (posts: Folder, isSharded: boolean) =>
    layoutAdvice(makeTrees({ content: { posts } }), 'posts', isSharded);
  assert.is(advise(many(FLAT_ADVISED), false), undefined);
  assert.match(advise(many(FLAT_ADVISED + 1), false)!, /3001 files .* sharded: true .* colophon reshard posts$/);
  assert.match(advise(many(1), true)!, /1 file is not in shards yet.* colophon reshard posts$/);
  assert.is(advise({ aa: { 'hello.json': 'x' }, 'Odd.json': 'x' }, true), undefined);
});

async function arrive(world: World, files: Record<string, string | null>): Promise<void> {
  const { store } = world.site();
  await store.log.flush();
  commitBeside(store.repository, files, undefined, 'refs/heads/main');
  await untilTakenIn(store);
}

test('a start reports files that are not in shards yet, once and after the first requests', async () => {
  await using world = await makeWorld();
  const advice = () => world.logged.filter(({ msg }) => String(msg).includes('not in shards yet'));
  const { json } = await world.admin.post('/api/cms/many', { slug: 'hello', data: { title: 'H' } });
  await arrive(world, { 'content/many/aa/hello.json': null, 'content/many/hello.json': JSON.stringify(json) });
  await world.restart();
  // The first start may look at the layout late, after the commit.
  const before = advice().length;
  assert.ok(before <= 1);
  await eventually(() => assert.ok(advice().length > before), 10_000);
  world.logged.splice(0, world.logged.indexOf(advice()[before]!));
  assert.equal(
    advice().map(({ level, site }) => [level, site]),
    [[40, 'default']],
  );
});

test('readers do not notice when a collection is moved into shards', async () => {
  await using world = await makeWorld();
  for (const slug of ['a', 'hello']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  const { odb, log } = world.site().store;
  await log.flush();
  const document = await world.admin.get('/api/cms/posts/hello');
  const list = await world.admin.get('/api/cms/posts');
  const readTree = (oid: Oid) => odb.get(oid, 'tree');
  const root = world.site().store.treeOf(log.status().gitHead!);
  const { moves } = planLayout(
    readLayout({ lookup: createTreeLookup(readTree), readTree, root }, 'posts'),
    'posts',
    true,
  );
  const files: Record<string, string | null> = {};
  for (const { from, to, oid } of moves) {
    files[from] = null;
    files[to] = odb.get(oid, 'blob').toString();
  }
  let changes = 0;
  world.site().view.subscribe(() => void changes++);
  await arrive(world, files);
  assert.is(moves.length, 2);
  assert.ok(log.has('content/posts/aa/hello.json'));
  assert.is(changes, 0);
  const etag = (reply: typeof list) => ({ 'if-none-match': String(reply.headers.etag) });
  assert.is((await world.admin.get('/api/cms/posts/hello', etag(document))).status, 304);
  assert.is((await world.admin.get('/api/cms/posts', etag(list))).status, 304);
  // The next write finds the file at its new place.
  assert.is((await world.admin.patch('/api/cms/posts/hello', { data: { rank: 1 } })).status, 200);
  assert.not.ok(log.has('content/posts/hello.json'));
});

test.run();
