// What a start recovers after a kill, from a copy of the data folder taken right after an answer.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../../src/access/principal.ts';
import { type Cms, createCms } from '../../src/cms.ts';
import { isCode } from '../../src/lib/error-code.ts';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { eventually } from '../support/process.ts';
import { commitBeside } from '../support/store-world.ts';
import { CONFIG, START } from '../support/world.ts';

const USER: Actor = { kind: 'user', userId: 'u1', name: 'Ada', email: 'ada@example.com' };

interface Crashing extends AsyncDisposable {
  cms: Cms;
  /** Copies the folder as a kill would leave it; returns the copy. */
  image(): string;
  open(folder: string): Promise<Cms>;
}

async function makeCrashing(): Promise<Crashing> {
  const root = mkdtempSync(join(tmpdir(), 'recovery-'));
  const opened: Cms[] = [];
  let images = 0;
  async function open(folder: string): Promise<Cms> {
    const cms = await createCms(CONFIG, { dataDir: folder, now: () => new Date(START) });
    opened.push(cms);
    return cms;
  }
  const cms = await open(join(root, 'data'));
  return {
    cms,
    open,
    image() {
      for (let tries = 1; ; tries++) {
        const folder = join(root, `image-${++images}`);
        try {
          cpSync(join(root, 'data', 'sites'), join(folder, 'sites'), { recursive: true });
          return folder;
        } catch (error) {
          // A thread that packs may remove its temporary files while they are copied.
          if (!isCode(error, 'ENOENT') || tries === 5) throw error;
        }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const repositoryIn = (folder: string): string => join(folder, 'sites', 'default', 'content.git');

test('what was answered is there, with locks, order and search, although git did not have it yet', async () => {
  await using crashing = await makeCrashing();
  const { content, site } = crashing.cms;
  for (let i = 0; i < 10; i++) await content.create('posts', { slug: `p${i}`, data: { title: `title ${i}` } });
  await site.store.log.flush();
  await content.update('posts', 'p1', { data: { title: 'changed' } });
  await content.update('posts', 'p2', { slug: 'renamed' });
  await content.delete('posts', 'p3');
  await site.content.lockField('posts', 'p4', 'title', { reason: 'r' }, USER);
  const folder = crashing.image();
  assert.ok(site.store.log.status().unflushed > 0, 'nothing is waiting: the image shows nothing');
  const before = await content.findMany('posts', { orderBy: 'slug', order: 'asc' });

  const again = await crashing.open(folder);
  assert.equal(await again.content.findMany('posts', { orderBy: 'slug', order: 'asc' }), before);
  assert.equal(again.site.content.fieldMeta('posts', 'p4'), site.content.fieldMeta('posts', 'p4'));
  assert.is((await again.site.search.search({ q: 'changed' })).total, 1);
  await again.content.update('posts', 'renamed', { data: { rank: 1 } });
  await again.site.store.log.flush();
  assert.is(again.site.store.log.status().unflushed, 0);
});

test('a creation that was answered before a kill gets the same answer after it', async () => {
  await using crashing = await makeCrashing();
  const { content } = crashing.cms.site;
  const options = { idempotency: { scope: 'me POST /posts k', bodyDigest: 'body' } };
  const first = await content.create('posts', { data: { title: 'Once' } }, USER, options);
  const folder = crashing.image();
  const { content: again, view } = (await crashing.open(folder)).site;
  const second = await again.create('posts', { data: { title: 'Once' } }, USER, options);
  assert.is(second.replayed, true);
  assert.equal([second.etag, second.commit, String(second.body)], [first.etag, first.commit, String(first.body)]);
  assert.is(view.size, 1);
});

test('a change that waited and an external commit made meanwhile are both kept, key by key', async () => {
  await using crashing = await makeCrashing();
  const { content, site } = crashing.cms;
  const doc = await content.create('posts', { slug: 'a', data: { title: 'T', own: 'o' } });
  await site.store.log.flush();
  await content.update('posts', 'a', { data: { rank: 1 } });
  await content.update('posts', 'a', { data: { rank: 2, tags: ['x'] } });
  const folder = crashing.image();
  const theirs = { ...doc, data: { ...doc.data, own: 'theirs' } };
  commitBeside(repositoryIn(folder), {
    'content/posts/a.json': JSON.stringify(theirs),
    'content/posts/b.json': JSON.stringify({ ...theirs, id: 'Hand00000001', slug: 'b' }),
  });
  const again = await crashing.open(folder);
  const found = await again.content.findBySlug('posts', 'a');
  assert.equal(found?.data, { title: 'T', rank: 2, tags: ['x'], own: 'theirs' });
  assert.ok(await again.content.findBySlug('posts', 'b'));
  await again.close();
  const third = await crashing.open(folder);
  assert.equal(await third.content.findBySlug('posts', 'a'), found);
});

test('an external commit made before a start has put what it recovered on the branch is shown with it', async () => {
  await using crashing = await makeCrashing();
  const { content, site } = crashing.cms;
  const doc = await content.create('posts', { slug: 'a', data: { title: 'T', own: 'o' } });
  await site.store.log.flush();
  await content.update('posts', 'a', { data: { rank: 1 } });
  await content.update('posts', 'a', { slug: 'moved' });
  const folder = crashing.image();
  // While another process holds the branch, the recovered changes wait.
  const lock = join(repositoryIn(folder), 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  const again = await crashing.open(folder);
  const { log } = again.site.store;
  assert.is(log.status().unflushed, 2);
  rmSync(lock);
  commitBeside(repositoryIn(folder), {
    'content/posts/a.json': JSON.stringify({ ...doc, data: { ...doc.data, own: 'theirs' } }),
  });
  await log.flush();
  const found = await again.content.findBySlug('posts', 'moved');
  assert.equal(found?.data, { title: 'T', rank: 1, own: 'theirs' });
  assert.is(await again.content.findBySlug('posts', 'a'), null);
  // The next change is made on the merged state, and removes nothing of theirs.
  await again.content.update('posts', 'moved', { data: { rank: 2 } });
  await again.close();
  const third = await crashing.open(folder);
  assert.equal((await third.content.findBySlug('posts', 'moved'))?.data, { ...found!.data, rank: 2 });
});

test('an external commit comes below what a start recovered, and our newer changes stay shown', async () => {
  await using crashing = await makeCrashing();
  const { content, site } = crashing.cms;
  const doc = await content.create('posts', { slug: 'a', data: { title: 'T' } });
  await site.store.log.flush();
  await content.update('posts', 'a', { data: { rank: 1 } });
  const folder = crashing.image();
  const lock = join(repositoryIn(folder), 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  const again = await crashing.open(folder);
  rmSync(lock);
  for (const slug of ['b', 'c'])
    commitBeside(repositoryIn(folder), {
      [`content/posts/${slug}.json`]: JSON.stringify({ ...doc, id: `Hand0000000${slug}`, slug }),
    });
  await again.content.update('posts', 'a', { data: { rank: 2 } });
  await again.site.store.log.flush();
  assert.equal((await again.content.findBySlug('posts', 'a'))?.data, { title: 'T', rank: 2 });
  assert.ok(await again.content.findBySlug('posts', 'c'));
});

test('what an external commit writes about a picture, and what a start recovered of it, are both shown', async () => {
  await using crashing = await makeCrashing();
  const { content, site } = crashing.cms;
  await content.create('posts', { slug: 'a', data: { title: 'T' } });
  await site.store.log.flush();
  commitBeside(site.store.repository, {
    'media/a.gif': toPointerFile({ sha256: 'a'.repeat(64), sizeBytes: 3 }).toString(),
    'media/.meta/a.gif.json': '{"alt": "first", "tags": ["old"]}',
  });
  site.store.log.poll();
  await eventually(() => assert.ok(site.media.findBySlug('a.gif')), 5000);
  await site.media.change('a.gif', { alt: 'ours' }, USER);
  const folder = crashing.image();
  const lock = join(repositoryIn(folder), 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  const { media, store } = (await crashing.open(folder)).site;
  assert.is(media.get('a.gif').alt, 'ours');
  assert.is(store.log.status().unflushed, 1);
  rmSync(lock);
  commitBeside(repositoryIn(folder), { 'media/.meta/a.gif.json': '{"alt": "first", "tags": ["theirs"]}' });
  await store.log.flush();
  assert.equal([media.get('a.gif').alt, media.get('a.gif').tags], ['ours', ['theirs']]);
});

test('a second crash: a change of ours that saw only an older version does not undo an external one', async () => {
  await using crashing = await makeCrashing();
  const { content, site } = crashing.cms;
  const doc = await content.create('posts', { slug: 'a', data: { title: 'T', own: 'o' } });
  await site.store.log.flush();
  await content.update('posts', 'a', { data: { rank: 1 } });
  const first = crashing.image();
  commitBeside(repositoryIn(first), {
    'content/posts/a.json': JSON.stringify({ ...doc, data: { ...doc.data, own: 'older' } }),
  });
  const lock = join(repositoryIn(first), 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  const again = await crashing.open(first);
  await again.content.update('posts', 'a', { data: { tags: ['x'] } });
  const second = join(first, '..', 'second');
  cpSync(join(first, 'sites'), join(second, 'sites'), { recursive: true });
  rmSync(lock);
  rmSync(join(repositoryIn(second), 'refs', 'heads', 'main.lock'));
  commitBeside(repositoryIn(second), {
    'content/posts/a.json': JSON.stringify({ ...doc, data: { ...doc.data, own: 'newer' } }),
  });
  const third = await crashing.open(second);
  assert.equal((await third.content.findBySlug('posts', 'a'))?.data, {
    title: 'T',
    rank: 1,
    tags: ['x'],
    own: 'newer',
  });
});

test('a bulk request that a kill interrupts leaves whole documents, and goes on when it is sent again', async () => {
  await using crashing = await makeCrashing();
  const { content } = crashing.cms.site;
  const operations = Array.from({ length: 200 }, (_, i) => ({
    op: 'create' as const,
    data: { title: `T ${i}`, own: 'x'.repeat(2000) },
  }));
  const idempotency = { scope: 'bulk', bodyDigest: 'd' };
  const request = {
    operations,
    actor: USER,
    mayPublish: true,
    matches: () => true,
    restorable: () => Promise.reject(new Error('nothing is restored')),
    idempotency,
  };
  const running = content.bulk('posts', request, false);
  const images: string[] = [];
  let isOver = false;
  running.then(() => (isOver = true));
  while (!isOver && images.length < 4) {
    images.push(crashing.image());
    await nextTurn();
  }
  const { answers } = await running;
  images.push(crashing.image());
  for (const [index, folder] of images.entries()) {
    const { site } = await crashing.open(folder);
    const found = [...site.content.each('posts')];
    for (const { data } of found) assert.is((data.own as string).length, 2000);
    const isLast = index === images.length - 1;
    assert.ok(found.length <= 200 && (!isLast || found.length === 200), 'what was answered is there');
    const again = await site.content.bulk('posts', request, false);
    assert.is(again.replayed ?? false, found.length === 200);
    assert.ok(again.answers.every(({ status }) => status === 200));
    assert.is([...site.content.each('posts')].length, 200, 'no document is there twice');
    if (isLast) assert.equal(again.answers, answers);
  }
});

test.run();
