// External commits: a clone, an edit, a push into the bare repository. They show within a second, are never
// overwritten, and files among them that are not documents are reported and left alone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../../support/git.ts';
import { commitBeside } from '../../support/store-world.ts';
import { makeWorld, START, type World } from '../../support/world.ts';

const SECOND_MS = 1000;

interface Clone {
  folder: string;
  /** Writes, removes (null) and commits files, without pushing. */
  commit(files: Record<string, object | string | null>): Promise<void>;
  push(...options: string[]): Promise<void>;
  /** Commits and pushes; pulls with a rebase first, as often as needed. */
  publish(files: Record<string, object | string | null>): Promise<void>;
  /** Fetches, and drops local commits that are not there. */
  update(): Promise<void>;
  read(path: string): Promise<string>;
  [Symbol.dispose](): void;
}

function repositoryOf(world: World): string {
  return world.site().store.repository;
}

async function makeClone(world: World): Promise<Clone> {
  await world.site().store.log.flush();
  const folder = mkdtempSync(join(tmpdir(), 'clone-'));
  await git(folder, 'clone', '--quiet', '--branch', 'main', repositoryOf(world), '.');
  const identity = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.com'];
  const clone: Clone = {
    folder,
    async commit(files) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path);
        mkdirSync(dirname(file), { recursive: true });
        if (content === null) rmSync(file);
        else writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
      }
      await git(folder, 'add', '--all');
      await git(folder, ...identity, 'commit', '--quiet', '-m', 'content: by hand');
    },
    async push(...options) {
      await git(folder, 'push', '--quiet', ...options, 'origin', 'HEAD:main');
    },
    async publish(files) {
      await clone.commit(files);
      for (let tries = 0; ; tries++) {
        await git(folder, ...identity, 'pull', '--quiet', '--rebase', 'origin', 'main');
        try {
          return await clone.push();
        } catch (error) {
          if (tries === 20) throw error;
        }
      }
    },
    async update() {
      await git(folder, 'fetch', '--quiet', 'origin', 'main');
      await git(folder, 'reset', '--hard', '--quiet', 'origin/main');
    },
    read: (path) => git(folder, 'show', `origin/main:${path}`),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  return clone;
}

/** Repeats a request until its answer is right, for a second at most. */
async function within<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean, what = ''): Promise<T> {
  const started = performance.now();
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (performance.now() - started > SECOND_MS)
      throw new Error(`not within a second: ${what} ${JSON.stringify(answer)}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

let ids = 0;
function documentOf(slug: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  const id = `Hand${String(++ids).padStart(8, '0')}`;
  const dates = { createdAt: START, updatedAt: START };
  return { id, slug, collection: 'posts', status: 'published', ...dates, data: { title: slug }, ...change };
}

const fileOf = (slug: string): string => `content/posts/${slug}.json`;
const warningsOf = async (world: World): Promise<string[]> => {
  const { status, json } = await world.admin.get('/readyz');
  assert.is(status, 200);
  return json.warnings;
};

test('a pushed change shows in documents, lists and search within a second', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'keep', data: { title: 'keep' } });
  await world.admin.post('/api/cms/posts', { slug: 'drop', data: { title: 'drop' } });
  const old = await world.admin.post('/api/cms/posts', { slug: 'old', data: { title: 'zebra' } });
  using clone = await makeClone(world);
  const listed = await world.admin.get('/api/cms/posts?orderBy=slug&order=asc');
  const renamed = { ...old.json, slug: 'new', data: { title: 'giraffe' } };
  await clone.publish({
    [fileOf('drop')]: null,
    [fileOf('old')]: null,
    [fileOf('new')]: renamed,
    [fileOf('added')]: documentOf('added'),
  });
  await within(
    () => world.admin.get('/api/cms/posts?orderBy=slug&order=asc'),
    ({ json }) => json.documents.map(({ slug }: { slug: string }) => slug).join() === 'added,keep,new',
  );
  const { updatedAt, ...shown } = (await world.admin.get('/api/cms/posts/new')).json;
  assert.equal({ ...shown, updatedAt: renamed.updatedAt }, renamed);
  assert.ok(updatedAt > renamed.updatedAt, 'the time of the commit');
  assert.is((await world.admin.get('/api/cms/posts/old')).status, 404);
  assert.is((await world.admin.get('/api/cms/posts/drop')).status, 404);
  const found = async (q: string) => (await world.admin.get(`/api/search?q=${q}`)).json.length;
  assert.equal([await found('giraffe'), await found('zebra'), await found('drop'), await found('added')], [1, 0, 0, 1]);
  const etag = { 'if-none-match': String(listed.headers.etag) };
  assert.is((await world.admin.get('/api/cms/posts?orderBy=slug&order=asc', etag)).status, 200);
  assert.equal(await warningsOf(world), []);

  const { events } = await world.appended(() => world.admin.patch('/api/cms/posts/added', { data: { rank: 1 } }));
  assert.is(events.length, 1);
  assert.match(await git(repositoryOf(world), 'log', '--format=%an', '-2', 'main'), /^Ada\nGrace\n/);
  await git(repositoryOf(world), 'fsck', '--strict');
});

test('a file that is not a document is reported and left alone, and keeps its slug', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'good', data: { title: 'good' } });
  using clone = await makeClone(world);
  const broken = {
    [fileOf('broken')]: '{ "title": "half',
    [fileOf('good')]: '<<<<<<< HEAD\n',
    [fileOf('wrong')]: { title: 'a document of another system' },
    'content/posts/Not A Slug.json': documentOf('Not A Slug'),
    'content/posts/notes.txt': 'hello',
    'content/nowhere/a.json': documentOf('a', { collection: 'nowhere' }),
    'README.md': '# Content\n',
  };
  await clone.publish(broken);
  const warnings = await within(
    () => warningsOf(world),
    (found) => found.length > 0,
  );
  // A collection that is not configured is reported by its folder, however many files are in it.
  const named = Object.keys(broken).flatMap((path) =>
    path.startsWith('content/') ? [path.replace(/^content\/nowhere\/.*/, 'content/nowhere')] : [],
  );
  for (const path of named)
    assert.ok(
      warnings.some((line) => line.includes(path)),
      path,
    );
  assert.is(warnings.length, named.length);
  assert.ok(
    world.logged.some((line) => JSON.stringify(line).includes(fileOf('broken'))),
    'the log names the file',
  );
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 0);
  for (const slug of ['broken', 'good', 'wrong']) {
    assert.is((await world.admin.get(`/api/cms/posts/${slug}`)).status, 404);
    assert.is((await world.admin.post('/api/cms/posts', { slug, data: {} })).status, 409, slug);
  }
  assert.is((await world.admin.post('/api/cms/posts', { data: { title: 'Broken' } })).json.slug, 'broken-2');
  await world.admin.patch('/api/cms/posts/broken-2', { slug: 'other' });
  assert.is((await world.admin.patch('/api/cms/posts/other', { slug: 'wrong' })).status, 409);
  await world.restart();
  assert.is((await warningsOf(world)).length, named.length);
  await git(clone.folder, 'pull', '--quiet', '--rebase', 'origin', 'main');
  assert.is(await clone.read(fileOf('broken')), '{ "title": "half');
  assert.is(await clone.read(fileOf('good')), '<<<<<<< HEAD\n');

  await clone.publish({ [fileOf('broken')]: documentOf('broken'), [fileOf('wrong')]: null });
  await within(
    () => world.admin.get('/api/cms/posts/broken'),
    ({ status }) => status === 200,
  );
  assert.is((await warningsOf(world)).length, named.length - 2);
});

test('a document whose values do not fit the schema is shown and reported', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A' } });
  using clone = await makeClone(world);
  await clone.publish({
    [fileOf('typed')]: documentOf('typed', { data: { title: 'T', rank: 'many' } }),
    [fileOf('bare')]: documentOf('bare', { data: {} }),
    [fileOf('draft')]: documentOf('draft', { status: 'draft', data: {} }),
  });
  const warnings = await within(
    () => warningsOf(world),
    (found) => found.length > 0,
  );
  assert.is(warnings.length, 2);
  assert.ok(warnings.some((line) => line.includes(fileOf('typed')) && line.includes('data.rank')));
  assert.ok(warnings.some((line) => line.includes(fileOf('bare')) && line.includes('data.title')));
  assert.is((await world.admin.get('/api/cms/posts/typed')).json.data.rank, 'many');
  await world.restart();
  assert.is((await warningsOf(world)).length, 2);
  // A document that is mended through the API is no longer reported.
  await world.admin.patch('/api/cms/posts/typed', { data: { rank: 5 } });
  await world.admin.patch('/api/cms/posts/bare', { data: { title: 'B' } });
  assert.equal(await warningsOf(world), []);
});

test('two documents that swap their slugs both exist', async () => {
  await using world = await makeWorld();
  const a = (await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'first' } })).json;
  const b = (await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'second' } })).json;
  using clone = await makeClone(world);
  await clone.publish({ [fileOf('a')]: { ...b, slug: 'a' }, [fileOf('b')]: { ...a, slug: 'b' } });
  await within(
    () => world.admin.get('/api/cms/posts/a'),
    ({ json }) => json.data?.title === 'second',
  );
  assert.is((await world.admin.get('/api/cms/posts/b')).json.data.title, 'first');
  assert.equal(await warningsOf(world), []);
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 2);
});

test('the first of two files with one id stays, and the second takes its place when it goes', async () => {
  await using world = await makeWorld();
  const a = (await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } })).json;
  using clone = await makeClone(world);
  await clone.publish({ [fileOf('copy')]: { ...a, slug: 'copy' } });
  await within(
    () => warningsOf(world),
    (found) => found.length === 1 && found[0]!.includes(fileOf('copy')),
  );
  assert.is((await world.admin.get('/api/cms/posts/copy')).status, 404);
  assert.is((await world.admin.get('/api/cms/posts/a')).status, 200);
  await clone.publish({ [fileOf('a')]: null });
  await within(
    () => world.admin.get('/api/cms/posts/copy'),
    ({ status }) => status === 200,
  );
  assert.equal(await warningsOf(world), []);
});

test('a collection that is moved into shards by hand stays complete at every step', async () => {
  await using world = await makeWorld();
  const doc = (await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'H' } })).json;
  using clone = await makeClone(world);
  await clone.publish({ 'content/posts/aa/hello.json': doc });
  await within(async () => world.site().store.log.has('content/posts/aa/hello.json'), Boolean);
  assert.is((await world.admin.get('/api/cms/posts/hello')).status, 200);
  await clone.publish({ [fileOf('hello')]: null });
  await within(async () => !world.site().store.log.has(fileOf('hello')), Boolean);
  assert.is((await world.admin.get('/api/cms/posts/hello')).status, 200);
  assert.is((await world.admin.patch('/api/cms/posts/hello', { data: { rank: 1 } })).status, 200);
  assert.not.ok(world.site().store.log.has(fileOf('hello')));
  assert.is((await world.admin.delete('/api/cms/posts/hello')).status, 200);
  assert.not.ok(world.site().store.log.has('content/posts/aa/hello.json'));
});

test('a change of ours right after a push to the same document keeps both', async () => {
  await using world = await makeWorld();
  const doc = (await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T', own: 'o' } })).json;
  using clone = await makeClone(world);
  for (let i = 1; i <= 5; i++) {
    await clone.update();
    const current = JSON.parse(await clone.read(fileOf('a'))) as typeof doc;
    await clone.publish({ [fileOf('a')]: { ...current, data: { ...current.data, own: `theirs ${i}` } } });
    const reply = await world.admin.patch('/api/cms/posts/a', { data: { rank: i } });
    assert.is(reply.status, 200);
    await world.site().store.log.flush();
    const { json } = await world.admin.get('/api/cms/posts/a');
    assert.equal([json.data.title, json.data.own, json.data.rank], ['T', `theirs ${i}`, i]);
    const stored = JSON.parse(await git(repositoryOf(world), 'show', `main:${fileOf('a')}`));
    assert.equal(stored.data, json.data);
  }
});

test('writers on both sides of one document lose no key', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'T' } });
  using clone = await makeClone(world);
  let count = 0;
  const burst = async (): Promise<void> => {
    for (let i = 0; i < 5; i++, count++) {
      const reply = await world.admin.patch('/api/cms/posts/a', { data: { [`ours${count}`]: count } });
      assert.is(reply.status, 200, reply.text);
      await world.admin.patch('/api/cms/posts/b', { data: { rank: count } });
    }
  };
  const identity = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.com'];
  let pushed = 0;
  let ours = Promise.resolve();
  for (let tries = 0; pushed < 6; tries++) {
    // In turns: while we write; when we begin between fetch and push; and, for a slow machine that misses both, while
    // we pause until their change is there.
    const [isAlone, isStill] = [tries % 3 !== 0, tries % 3 === 2];
    if (isAlone) await ours;
    else ours = ours.then(burst);
    if (isAlone) await world.site().store.log.flush();
    await clone.update();
    const current = JSON.parse(await clone.read(fileOf('a')));
    const data = { ...current.data, [`theirs${pushed}`]: pushed };
    writeFileSync(join(clone.folder, fileOf('a')), `${JSON.stringify({ ...current, data }, null, 2)}\n`);
    await git(clone.folder, ...identity, 'commit', '--quiet', '--all', '-m', `theirs ${pushed}`);
    if (isAlone && !isStill) ours = burst();
    const isPushed = await clone.push().then(
      () => true,
      () => false,
    );
    assert.ok(isPushed || !isStill, 'the push was refused although no other was faster');
    if (isStill) ours = burst();
    if (isPushed) pushed++;
  }
  await ours;
  await world.site().store.log.flush();
  await within(
    () => world.admin.get('/api/cms/posts/a'),
    ({ json }) => `theirs${pushed - 1}` in json.data,
  );
  const stored = JSON.parse(await git(repositoryOf(world), 'show', `main:${fileOf('a')}`));
  const { json } = await world.admin.get('/api/cms/posts/a');
  assert.equal(json.data, stored.data);
  for (let i = 0; i < count; i++) assert.is(stored.data[`ours${i}`], i, `ours${i}`);
  for (let i = 0; i < pushed; i++) assert.is(stored.data[`theirs${i}`], i, `theirs${i}`);
  const subjects = await git(repositoryOf(world), 'log', '--format=%s', 'main');
  for (let i = 0; i < pushed; i++) assert.ok(subjects.includes(`theirs ${i}`));
  await git(repositoryOf(world), 'fsck', '--strict');
  await world.restart();
  assert.equal((await world.admin.get('/api/cms/posts/a')).json, json);
});

test('two documents with one slug, created on both sides at once, both exist', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'first', data: { title: 'T' } });
  const { log, repository } = world.site().store;
  await log.flush();
  const theirs = JSON.parse(await git(repository, 'show', `main:${fileOf('first')}`));
  const content = JSON.stringify({ ...theirs, id: 'TheirsTheirs', slug: 'same', data: { title: 'theirs' } });
  const made = await world.admin.post('/api/cms/posts', { slug: 'same', data: { title: 'ours' } });
  // Ours is acknowledged and not on the branch yet.
  assert.is(log.status().unflushed, 1);
  commitBeside(repository, { [fileOf('same')]: content });
  const changed = await world.admin.put(`/api/cms/posts/${made.json.id}`, { data: { rank: 1 } });
  await log.flush();
  assert.is((await world.admin.get('/api/cms/posts/same')).json.data.title, 'theirs');
  const moved = (await world.admin.get('/api/cms/posts/same-2')).json;
  assert.equal([moved.id, moved.data.title], [made.json.id, 'ours']);
  assert.equal([changed.json.id, moved.data.rank], [made.json.id, 1]);
  assert.is(JSON.parse(await git(repository, 'show', `main:${fileOf('same-2')}`)).id, made.json.id);
  const again = await world.admin.post('/api/cms/posts', { slug: 'same-2', data: { title: 'T' } });
  assert.is(again.status, 409);
  await world.restart();
  assert.is((await world.admin.get('/api/cms/posts/same-2')).json.data.title, 'ours');
});

test('after a force-push writes are refused with what to do, and reads continue', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'one' } });
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'two' } });
  using clone = await makeClone(world);
  await git(clone.folder, 'reset', '--hard', '--quiet', 'HEAD~1');
  await clone.push('--force');
  const refused = await within(
    () => world.admin.patch('/api/cms/posts/a', { data: {} }),
    ({ status }) => status === 503,
  );
  assert.is(refused.json.code, 'unavailable');
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.title, 'two');
  assert.is((await world.anonymous.get('/readyz')).status, 503);
});

test.run();
