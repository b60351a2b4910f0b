// External commits move documents while our changes to the same documents wait for git: readers then see what another
// start finds, and each document exists once, with the changes of both sides.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../../src/content/document.ts';
import { pathOf, SHARDED } from '../../../src/content/files/paths.ts';
import { git } from '../../support/git.ts';
import { commitBeside } from '../../support/store-world.ts';
import { makeWorld, type World } from '../../support/world.ts';
import { SYSTEM } from '../world.ts';

const flat = (slug: string): string => pathOf({ collection: 'posts', slug }, 0);
const shard = (slug: string): string => pathOf({ collection: 'posts', slug }, SHARDED);

async function read(world: World, slug: string): Promise<StoredDocument> {
  return JSON.parse(await git(world.site().store.repository, 'show', `main:${flat(slug)}`));
}

/** Makes changes that wait for git, then an external commit below them. */
async function below(world: World, ours: () => Promise<void>, files: Record<string, object | null>): Promise<void> {
  const { log, repository } = world.site().store;
  log.keepStill();
  await ours();
  assert.ok(log.status().unflushed > 0);
  const texts = Object.entries(files).map(([path, doc]) => [path, doc && `${JSON.stringify(doc, null, 2)}\n`]);
  commitBeside(repository, Object.fromEntries(texts));
  await log.flush();
}

/** The served documents by slug; checks that a start from the repository serves the same. */
async function shown(world: World): Promise<Record<string, StoredDocument>> {
  const list = async () => (await world.admin.get('/api/cms/posts?orderBy=slug&order=asc')).json.documents;
  const live: StoredDocument[] = await list();
  await world.restart();
  assert.equal(await list(), live);
  assert.is(new Set(live.map(({ id }) => id)).size, live.length);
  for (const { slug, id } of live) assert.is((await world.admin.get(`/api/cms/posts/${slug}`)).json.id, id);
  return Object.fromEntries(live.map((doc) => [doc.slug, doc]));
}

test('two documents that swap their slugs exist once each', async () => {
  await using world = await makeWorld({ now: 'real' });
  for (const slug of ['a', 'b']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  await world.site().store.log.flush();
  const [a, b] = [await read(world, 'a'), await read(world, 'b')];
  const ours = async () => {
    await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } });
    await world.admin.patch('/api/cms/posts/b', { data: { rank: 2 } });
  };
  await below(world, ours, { [flat('a')]: { ...b, slug: 'a' }, [flat('b')]: { ...a, slug: 'b' } });
  const documents = await shown(world);
  assert.equal(
    Object.values(documents).map(({ id, slug, data }) => [id, slug, data]),
    [
      [b.id, 'a', { title: 'b', rank: 2 }],
      [a.id, 'b', { title: 'a', rank: 1 }],
    ],
  );
});

test('a document that is moved into its shard stays there, and one that took a slug in the other layout keeps it', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'a' } });
  await world.site().store.log.flush();
  const a = await read(world, 'a');
  const ours = async () => {
    await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } });
    await world.admin.post('/api/cms/posts', { slug: 'new', data: { title: 'ours' } });
  };
  const taken = { ...a, id: 'TheirsTheirs', slug: 'new', data: { title: 'theirs' } };
  await below(world, ours, { [flat('a')]: null, [shard('a')]: { ...a, locale: 'de' }, [shard('new')]: taken });
  const documents = await shown(world);
  assert.equal(
    Object.entries(documents).map(([slug, { data }]) => [slug, data]),
    [
      ['a', { title: 'a', rank: 1 }],
      ['new', { title: 'theirs' }],
      ['new-2', { title: 'ours' }],
    ],
  );
  assert.is(documents.a?.locale, 'de');
  const names = (await git(world.site().store.repository, 'ls-tree', '-r', '--name-only', 'main')).trim().split('\n');
  assert.equal(
    names.filter((name) => name.startsWith('content/posts/')).sort(),
    [flat('new-2'), shard('a'), shard('new')].sort(),
  );
});

test('our translation of a document that an external commit renamed and translated names it, and shares its group', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'a' } });
  await world.site().store.log.flush();
  const a = await read(world, 'a');
  const translationGroup = '7d0ad6b6-6a56-4b4e-9c5c-0d1c56a2ab01';
  const french = { ...a, id: 'TheirsTheirs', slug: 'a-fr', locale: 'fr', translationOf: 'b', translationGroup };
  const ours = async () => {
    const body = { slug: 'a-de', locale: 'de', translationOf: 'a', data: { title: 'deutsch' } };
    assert.is((await world.admin.post('/api/cms/posts', body)).status, 200);
  };
  await below(world, ours, {
    [flat('a')]: null,
    [flat('b')]: { ...a, slug: 'b', translationGroup },
    [flat('a-fr')]: french,
  });
  const documents = await shown(world);
  assert.equal(
    Object.values(documents).map((doc) => [doc.slug, doc.translationOf, doc.translationGroup]),
    [
      ['a-de', 'b', translationGroup],
      ['a-fr', 'b', translationGroup],
      ['b', undefined, translationGroup],
    ],
  );
});

test('our deletion of a document that an external commit deletes too has nothing left to do, and succeeds', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'a' } });
  const { store, content } = world.site();
  await store.log.flush();
  const deleting = content.remove('posts', { slug: 'a' }, SYSTEM);
  commitBeside(store.repository, { [flat('a')]: null });
  store.log.poll();
  assert.match((await deleting).commit, /^[0-9a-f]{40}$/);
  await store.log.flush();
  assert.equal(await shown(world), {});
  assert.equal(world.site().store.log.status().setAside, []);
});

test('a change that is the same on top of an external commit keeps its row', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'a' } });
  await world.site().store.log.flush();
  const { view } = world.site();
  const their = { ...(await read(world, 'a')), id: 'TheirsTheirs', slug: 'b', data: { title: 'theirs' } };
  let ours: unknown;
  const write = async () => {
    await world.admin.post('/api/cms/posts', { slug: 'c', data: { title: 'c' } });
    ours = view.bySlug('posts', 'c');
  };
  await below(world, write, { [flat('b')]: their });
  assert.is(view.bySlug('posts', 'b')?.id, 'TheirsTheirs');
  assert.ok(ours);
  assert.is(view.bySlug('posts', 'c'), ours);
  assert.equal(Object.keys(await shown(world)), ['a', 'b', 'c']);
});

test('documents that we delete while external commits give their ids to other files are gone, wherever they are then', async () => {
  await using world = await makeWorld({ now: 'real' });
  const slugs = ['a', 'b', 'c'];
  for (const slug of slugs) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  await world.site().store.log.flush();
  const [a, b, c] = await Promise.all(slugs.map((slug) => read(world, slug)));
  const { store, content } = world.site();
  store.log.keepStill();
  await content.remove('posts', { slug: 'c' }, SYSTEM);
  const deleting = content.remove('posts', { slug: 'b' }, SYSTEM);
  const shifted = { a: b, b: c, c: a };
  const texts = Object.entries(shifted).map(([slug, doc]) => [flat(slug), `${JSON.stringify({ ...doc, slug })}\n`]);
  commitBeside(store.repository, Object.fromEntries(texts));
  store.log.poll();
  await deleting;
  await store.log.flush();
  assert.equal(
    Object.values(await shown(world)).map(({ id, slug }) => [id, slug]),
    [[a!.id, 'c']],
  );
});

test.run();
