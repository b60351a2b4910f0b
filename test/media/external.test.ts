// Media in external commits: pushed pointers and descriptions appear, and neither side's files are lost.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { commitBeside } from '../support/external.ts';
import { eventually } from '../support/process.ts';
import { git } from '../support/store-world.ts';
import { gif, sha256, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

const WITHIN_MS = 5000;
const MAIN = 'refs/heads/main';

function pointer(number: number): string {
  return toPointerFile({ sha256: sha256(gif(number)), sizeBytes: gif(number).length }).toString();
}

async function push(world: World, files: Record<string, string | null>): Promise<void> {
  await world.site().store.log.flush();
  commitBeside(world.site().store.repository, files, undefined, MAIN);
}

function slugs(world: World): string[] {
  return Array.from(world.site().media.files(), ({ path }) => path.slice('media/'.length)).sort();
}

async function shows(world: World, expected: string[]): Promise<void> {
  await eventually(() => assert.equal(slugs(world), expected), WITHIN_MS);
}

test('a pushed pointer is listed and found, with its bytes or without', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await push(world, {
    'media/images/again.gif': pointer(1),
    'media/Fotos/Mein Bild (1).JPG': pointer(2),
    'media/top.pdf': pointer(3),
    'media/images/.meta/again.gif.json': '{"alt": "Seen before", "tags": ["twice"]}',
  });
  await shows(world, ['Fotos/Mein Bild (1).JPG', 'images/a.gif', 'images/again.gif', 'top.pdf']);
  const { json } = await world.admin.get('/api/media');
  assert.equal(
    json.files.map(({ url, type, alt, createdAt }: Record<string, string>) => [url, type, alt, createdAt]),
    [
      ['/uploads/images/a.gif', 'image', '', '2026-01-02T03:04:05.678Z'],
      ['/uploads/Fotos/Mein%20Bild%20(1).JPG', 'image', '', undefined],
      ['/uploads/images/again.gif', 'image', 'Seen before', undefined],
      ['/uploads/top.pdf', 'document', '', undefined],
    ],
  );
  const { media } = world.site();
  assert.is(await media.hasBytes(sha256(gif(1))), true);
  assert.is(await media.hasBytes(sha256(gif(2))), false);
  assert.equal(
    (await world.admin.get('/api/search?q=twice')).json.map(({ slug }: { slug: string }) => slug),
    ['images/again.gif'],
  );
  assert.equal([...world.site().warnings], []);
  const before = json;
  await world.restart();
  assert.equal((await world.admin.get('/api/media')).json, before);
});

test('a pushed rename or removal takes effect, and a description without its file has none', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await upload(world.admin, 'b.gif', gif(2));
  await world.admin.patch('/api/media/images/a.gif', { alt: 'One' });
  await push(world, {
    'media/images/a.gif': null,
    'media/images/renamed.gif': pointer(1),
    'media/images/b.gif': null,
  });
  await shows(world, ['images/renamed.gif']);
  assert.equal((await world.admin.get('/api/search?q=one&collection=media')).json, []);
  // And its description comes back with it.
  await push(world, { 'media/images/a.gif': pointer(1) });
  await shows(world, ['images/a.gif', 'images/renamed.gif']);
  assert.is(world.site().media.find('images', 'a.gif')!.alt, 'One');
});

test('a file below media/ that is not a pointer is reported and left alone; a push with one is refused', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  const bad = {
    'media/images/a.gif': 'GIF89a',
    'media/images/.meta/b.gif.json': '[]',
    'media/images/.meta/note.txt': pointer(2),
    'media/images/.meta/c.gif.json': '{"alt": 5}',
  };
  const { store, checkIncoming } = world.site();
  await store.log.flush();
  const from = store.log.status().gitHead;
  const to = commitBeside(store.repository, bad);
  store.odb.refresh();
  const { problems } = await checkIncoming(from, to, store.odb);
  assert.equal(problems.map(({ path }) => path).sort(), Object.keys(bad).sort());

  await push(world, bad);
  await eventually(() => assert.equal([...world.site().warnings.keys()].sort(), Object.keys(bad).sort()), WITHIN_MS);
  await shows(world, []);
  // Its name counts as used all the same.
  const { json } = await upload(world.admin, 'a.gif', gif(3));
  assert.is(json.filename, 'a-2.gif');
  await push(world, { 'media/images/a.gif': pointer(1) });
  await shows(world, ['images/a-2.gif', 'images/a.gif']);
});

test('an empty file below media/ is refused in a push, and so is a pointer to no bytes', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  const { store, checkIncoming } = world.site();
  await store.log.flush();
  const none = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(Buffer.alloc(0))}\nsize 0\n`;
  const to = commitBeside(store.repository, { 'media/images/empty.gif': '', 'media/images/none.gif': none });
  store.odb.refresh();
  const { problems } = await checkIncoming(store.log.status().gitHead, to, store.odb);
  assert.equal(
    problems.map(({ path, message }) => `${path}: ${message}`),
    ['empty', 'none'].map((name) => `media/images/${name}.gif: is empty; a media file has at least one byte`),
  );
});

test('an upload into a folder that an external commit spelt differently, or made a file, is refused', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'first', data: {} });
  await push(world, { 'media/Images/a.gif': pointer(1), 'media/plain': pointer(2), 'media/docs/B.gif': pointer(3) });
  await shows(world, ['Images/a.gif', 'docs/B.gif', 'plain']);
  assert.is((await upload(world.admin, 'x.gif', gif(4))).status, 409);
  assert.is((await upload(world.admin, 'x.gif', gif(4), { folder: 'plain' })).status, 409);
  assert.is((await upload(world.admin, 'x.gif', gif(4), { folder: 'plain/more' })).status, 409);
  const { json } = await upload(world.admin, 'b.gif', gif(5), { folder: 'docs' });
  assert.is(json.filename, 'b-2.gif');
  assert.equal([...world.site().warnings], []);
});

test('uploads and external commits at once lose no file', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'start.gif', gif(1000));
  await world.site().store.log.flush();
  const { repository } = world.site().store;
  const COUNT = 16;
  const ours: { url: string; sha256: string }[] = [];
  for (let n = 0; n < COUNT; n++) {
    // The same names on both sides; their commit comes at a different moment of our upload each time.
    const sending = upload(world.admin, `f${n}.gif`, gif(n));
    for (let turns = 0; turns < (n * 7) % 40; turns++) await nextTurn();
    commitBeside(repository, { [`media/images/f${n}.gif`]: pointer(2000 + n) }, undefined, MAIN);
    const { status, json, text } = await sending;
    assert.is(status, 200, text);
    ours.push(json);
    const changed = await world.admin.patch(`/api/media/images/${json.filename}`, { alt: `alt ${n}` });
    assert.ok(changed.status === 200 || changed.status === 404, changed.text);
  }
  const hashes = (): Set<string> => new Set([...world.site().media.files()].map((file) => file.sha256));
  await eventually(() => {
    for (let n = 0; n < COUNT; n++) assert.ok(hashes().has(sha256(gif(2000 + n))), `theirs ${n}`);
  }, WITHIN_MS);
  for (const { sha256: own, url } of ours) assert.ok(hashes().has(own), `ours ${url}`);
  assert.equal([...world.site().warnings], []);
  const before = slugs(world);
  await world.restart();
  assert.equal(slugs(world), before);
});

test('a description that an external commit broke stays, and our change of it is set aside and reported', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  const { store } = world.site();
  await store.log.flush();
  store.log.keepStill();
  await world.admin.patch('/api/media/images/a.gif', { alt: 'ours' });
  assert.ok(store.log.status().unflushed > 0, 'nothing waits');
  const meta = 'media/images/.meta/a.gif.json';
  commitBeside(store.repository, { [meta]: '{ broken' }, undefined, MAIN);
  await store.log.flush();
  const [sentence = ''] = store.log.status().setAside;
  assert.match(sentence, `${meta} is not the description of a media file any more`);
  assert.is(git(store.repository, 'show', `main:${meta}`), '{ broken');
  assert.equal([...world.site().warnings.keys()], [meta]);
  assert.is(world.site().media.find('images', 'a.gif')!.alt, '');
  // It is known to be broken now, and the next change of the description mends it.
  await world.admin.patch('/api/media/images/a.gif', { alt: 'mended' });
  await store.log.flush();
  assert.match(git(store.repository, 'show', `main:${meta}`), 'mended');
  assert.equal([...world.site().warnings], []);
});

test('a name that an external commit gave to a folder counts as used', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await push(world, { 'media/images/b.gif/in.txt': 'theirs' });
  await eventually(() => assert.is(world.site().warnings.size, 1), WITHIN_MS);
  assert.is((await upload(world.admin, 'b.gif', gif(2))).json.filename, 'b-2.gif');
  await world.site().store.log.flush();
  assert.is(git(world.site().store.repository, 'show', 'main:media/images/b.gif/in.txt'), 'theirs');
});

test.run();
