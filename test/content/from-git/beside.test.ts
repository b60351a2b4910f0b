// Files of external commits that cannot be documents: reported at /readyz as long as they exist, left alone, and no
// longer reported when they are mended. Names, sizes, modes and folders; external.test.ts has the documents.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commitBeside, type Entry, git, treeOf } from '../../support/external.ts';
import { makeWorld, START, type World } from '../../support/world.ts';

let ids = 0;
function documentOf(slug: string, change: Record<string, unknown> = {}): string {
  const id = `Side${String(++ids).padStart(8, '0')}`;
  const dates = { createdAt: START, updatedAt: START };
  return toText({ id, slug, collection: 'posts', status: 'published', ...dates, data: { title: slug }, ...change });
}

const toText = (doc: object): string => `${JSON.stringify(doc, null, 2)}\n`;
const fileOf = (slug: string): string => `content/posts/${slug}.json`;

/** Commits on the branch, waits until the service has loaded it, and returns what /readyz reports then. */
async function commit(world: World, files: Record<string, Entry | null>): Promise<string[]> {
  const { store } = world.site();
  await store.log.flush();
  const { gitHead } = store.log.status();
  return arrived(world, commitBeside(store.repository, files, gitHead ? [gitHead] : [], 'refs/heads/main'));
}

async function arrived(world: World, head: string): Promise<string[]> {
  const { log } = world.site().store;
  for (let tries = 0; log.status().gitHead !== head; tries++) {
    if (tries === 500) throw new Error(`the service stays at ${log.status().gitHead}`);
    log.poll();
    await new Promise((resume) => setTimeout(resume, 10));
  }
  const { status, json } = await world.admin.get('/readyz');
  assert.is(status, 200);
  return json.warnings;
}

const at = async (world: World, slug: string): Promise<number> =>
  (await world.admin.get(`/api/cms/posts/${slug}`)).status;

test('two names that differ only in capitals are reported until one is gone', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'H' } });
  const [reported, ...others] = await commit(world, { 'content/posts/Hello.json': documentOf('Hello') });
  assert.match(reported!, 'content/posts/Hello.json: differs from "hello.json" in capitals');
  assert.equal(others, []);
  assert.is(await at(world, 'hello'), 200);
  const [alone] = await commit(world, { [fileOf('hello')]: null });
  assert.match(alone!, 'slug must start');
  assert.equal(await commit(world, { 'content/posts/Hello.json': null }), []);

  // Outside of the documents too, whichever of the two was there first.
  const notes = await commit(world, { 'README.md': 'x', 'docs/Notes.md': 'x', 'docs/notes.md': 'y' });
  assert.is(notes.length, 1);
  assert.match(notes[0]!, 'docs/Notes.md');
  assert.is((await commit(world, { 'docs/Notes.md': 'changed' })).length, 1, 'a change does not mend it');
  assert.equal(await commit(world, { 'docs/notes.md': null }), []);
});

test('a file too large for a document is left alone, and is loaded once it is smaller', async () => {
  await using world = await makeWorld();
  const large = documentOf('large', { data: { title: 'L', body: 'x'.repeat(4 << 20) } });
  const [reported] = await commit(world, { [fileOf('large')]: large });
  assert.match(reported!, 'larger than 4 MiB');
  assert.is(await at(world, 'large'), 404);
  assert.equal(await commit(world, { [fileOf('large')]: documentOf('large') }), []);
  assert.is(await at(world, 'large'), 200);
});

test('the service does not write a document that it could not read again', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const text = 'x'.repeat(1_000_000);
  for (const key of ['k0', 'k1', 'k2', 'k3']) {
    assert.is((await world.admin.patch('/api/cms/posts/a', { data: { [key]: text } })).status, 200);
  }
  const { result, events } = await world.appended(() => world.admin.patch('/api/cms/posts/a', { data: { k4: text } }));
  assert.equal([result.status, result.json.code, events.length], [413, 'too_large', 0]);
  assert.is((await world.admin.patch('/api/cms/posts/a', { data: { k3: 'short' } })).status, 200);
});

test('links, submodules and folders in the place of a document are reported', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const warnings = await commit(world, {
    [fileOf('link')]: { mode: '120000', text: 'a.json' },
    'content/posts/b.json/c.json': documentOf('c'),
    'content/posts/bb/hello.json': documentOf('hello'),
    'docs/link': { mode: '120000', text: '/etc/passwd' },
    'docs/con.txt': 'x',
    'media/photos/cat.jpg': 'JFIF',
    'docs/fine': { mode: '120000', text: '../README.md' },
    [fileOf('executable')]: { mode: '100755', text: documentOf('executable') },
  });
  const expected = [
    'bb/hello.json: in a folder that holds no',
    'b.json: not a regular',
    'link.json: not a regular',
    'docs/link: ',
  ].concat(['con.txt: name is that', 'cat.jpg: not a Git LFS']);
  for (const one of expected)
    assert.ok(
      warnings.some((line) => line.includes(one)),
      one,
    );
  assert.is(warnings.length, expected.length);
  assert.is(await at(world, 'executable'), 200);
  await world.restart();
  assert.is((await world.admin.get('/readyz')).json.warnings.length, expected.length);
  const mended = await commit(world, {
    [fileOf('link')]: null,
    'content/posts/b.json/c.json': null,
    'content/posts/bb/hello.json': null,
    'content/posts/aa/hello.json': documentOf('hello'),
    'docs/link': 'x',
    'docs/con.txt': null,
    'media/photos/cat.jpg': null,
  });
  assert.equal(mended, []);
  assert.is(await at(world, 'hello'), 200);
});

test('a folder of a collection that is not configured is reported once, however many files it has', async () => {
  await using world = await makeWorld();
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`content/nowhere/x${i}.json`, '{}']));
  const warnings = await commit(world, files);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, 'content/nowhere: ');
});

test('ten trees that stand for a billion documents do not stop the service', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { store } = world.site();
  await store.log.flush();
  const head = store.log.status().gitHead!;
  let tree = treeOf(store.repository, { 'f.json': '{}' });
  const repeat = (name: (i: number) => string, count: number) => {
    const entries = Array.from({ length: count }, (_, i) => `040000 tree ${tree}\t${name(i)}\n`).join('');
    tree = git(store.repository, { input: entries }, 'mktree').trim();
  };
  for (let level = 0; level < 8; level++) repeat((i) => `d${i}`, 10);
  const anywhere = tree;
  repeat((i) => i.toString(16).padStart(2, '0'), 256);
  const lines = `040000 tree ${tree}\tposts\n040000 tree ${anywhere}\tdeep\n`;
  const content = git(store.repository, { input: lines }, 'mktree').trim();
  const root = git(
    store.repository,
    { input: `040000 tree ${content}\tcontent\n040000 tree ${anywhere}\tdocs\n` },
    'mktree',
  );
  const bomb = git(store.repository, 'commit-tree', root.trim(), '-p', head, '-m', 'bomb').trim();
  const started = performance.now();
  git(store.repository, 'update-ref', 'refs/heads/main', bomb);
  await arrived(world, bomb);
  assert.match(world.site().warnings.get('.') ?? '', 'files outside of content/ and media/ are not checked');
  assert.ok(performance.now() - started < 20_000);
  assert.is((await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'B' } })).status, 200);
});

test('one folder in the place of every shard is entered only where its files belong, if anywhere', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { store } = world.site();
  await store.log.flush();
  const head = store.log.status().gitHead!;
  const shard = treeOf(
    store.repository,
    Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}.json`, '{}'])),
  );
  const mktree = (lines: string): string => git(store.repository, { input: lines }, 'mktree').trim();
  const shards = Array.from({ length: 256 }, (_, i) => `040000 tree ${shard}\t${i.toString(16).padStart(2, '0')}\n`);
  const content = mktree(`040000 tree ${mktree(shards.join(''))}\tposts\n`);
  const root = mktree(`040000 tree ${content}\tcontent\n`);
  const commit = git(store.repository, 'commit-tree', root, '-p', head, '-m', 'x').trim();
  git(store.repository, 'update-ref', 'refs/heads/main', commit);
  await arrived(world, commit);
  assert.is(world.site().warnings.size, 256);
});

test('a tree that git would not have written is reported until it is mended', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { store } = world.site();
  await store.log.flush();
  const head = store.log.status().gitHead!;
  const blob = git(store.repository, { input: 'x' }, 'hash-object', '-w', '--stdin').trim();
  const entry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
  const disorder = Buffer.concat([entry('b'), entry('a')]);
  const docs = git(store.repository, { input: disorder }, 'hash-object', '-t', 'tree', '-w', '--stdin', '--literally');
  const lines = `${git(store.repository, 'ls-tree', head)}040000 tree ${docs.trim()}\tdocs\n`;
  const root = git(store.repository, { input: lines }, 'mktree').trim();
  const bad = git(store.repository, 'commit-tree', root, '-p', head, '-m', 'x').trim();
  git(store.repository, 'update-ref', 'refs/heads/main', bad);
  const [reported, ...others] = await arrived(world, bad);
  assert.match(reported!, 'docs: not a folder that git would have written');
  assert.equal(others, []);
  const before = git(store.repository, 'rev-parse', `${head}^{tree}`).trim();
  const good = git(store.repository, 'commit-tree', before, '-p', bad, '-m', 'x').trim();
  git(store.repository, 'update-ref', 'refs/heads/main', good);
  assert.equal(await arrived(world, good), []);
});

test.run();
