import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findFile } from '../../src/content/from-git/load.ts';
import { parsePointer, toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { commitBeside } from '../support/external.ts';
import { eventually } from '../support/process.ts';
import { gif, MULTIPART, multipart, sha256, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

function blobAt(world: World, path: string): Buffer | undefined {
  const { store } = world.site();
  const head = store.log.status().gitHead;
  const file = head ? findFile(store.odb, store.treeOf(head), path) : undefined;
  return file && store.odb.get(file.oid, 'blob');
}

function bytesOf(world: World, hash: string): Buffer {
  return readFileSync(world.site().media.bytesPath(hash));
}

function leftovers(world: World): string[] {
  const incoming = join(world.dataDir, 'sites/default/media/incoming');
  return existsSync(incoming) ? readdirSync(incoming) : [];
}

test('an upload is one commit with a Git LFS pointer, and its bytes are stored by their SHA-256', async () => {
  await using world = await makeWorld();
  const { result, events } = await world.appended(() => upload(world.admin, 'Grüße aus Köln.GIF', gif()));
  assert.is(result.status, 200, result.text);
  assert.equal(result.json, {
    url: '/uploads/images/gruesse-aus-koeln.gif',
    filename: 'gruesse-aus-koeln.gif',
    size: gif().length,
    type: 'image',
    width: 1,
    height: 1,
    sha256: sha256(gif()),
  });
  assert.is(events.length, 1);
  const [event] = events;
  assert.is(event!.subject, 'media/images/gruesse-aus-koeln.gif: upload');
  assert.is(event!.author, 'Ada <ada@example.com>');
  assert.is(event!.trailers.Event, 'media.uploaded');
  assert.is(event!.trailers.Media, 'images/gruesse-aus-koeln.gif');
  assert.is(event!.trailers.Actor, 'user');
  assert.ok(event!.trailers['Change-Id']);
  assert.is(event!.trailers['Request-Id'], result.headers['x-request-id']);
  assert.is(result.headers['x-cms-commit'], event!.commit);
  assert.equal(parsePointer(blobAt(world, 'media/images/gruesse-aus-koeln.gif')!), {
    sha256: sha256(gif()),
    sizeBytes: gif().length,
  });
  assert.equal(bytesOf(world, sha256(gif())), gif());
  assert.equal(leftovers(world), []);
});

test('uploaded files are listed, the newest first', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'first.gif', gif(1));
  world.advance(1000);
  await upload(world.admin, 'notes.txt', 'some plain words\n');
  const { status, json, headers } = await world.admin.get('/api/media');
  assert.is(status, 200);
  assert.is(json.total, 2);
  assert.is(headers['x-total-count'], '2');
  assert.equal(
    json.files.map(({ name, folder, type }: Record<string, string>) => ({ name, folder, type })),
    [
      { name: 'notes.txt', folder: 'documents', type: 'document' },
      { name: 'first.gif', folder: 'images', type: 'image' },
    ],
  );
  assert.equal(json.files[1], {
    name: 'first.gif',
    url: '/uploads/images/first.gif',
    folder: 'images',
    size: gif(1).length,
    type: 'image',
    alt: '',
    tags: [],
    width: 1,
    height: 1,
    createdAt: '2026-01-02T03:04:05.678Z',
    sha256: sha256(gif(1)),
  });
});

test('a change of alt text and tags is one commit, a deletion another; earlier commits keep the bytes', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(), { folder: 'trips/2026' });
  const change = { alt: 'A wet August', tags: ['rain', 'rain', ' august '] };
  const changed = await world.appended(() => world.admin.patch('/api/media/trips/2026/a.gif', change));
  assert.is(changed.result.status, 200, changed.result.text);
  assert.is(changed.result.json.alt, 'A wet August');
  assert.equal(changed.result.json.tags, ['rain', 'august']);
  assert.equal(
    changed.events.map(({ subject, trailers: { Event, Fields } }) => ({ subject, Event, Fields })),
    [{ subject: 'media/trips/2026/a.gif: update alt, tags', Event: 'media.updated', Fields: 'alt, tags' }],
  );
  const same = await world.appended(() => world.admin.patch('/api/media/trips/2026/a.gif', { alt: 'A wet August' }));
  assert.is(same.result.status, 200);
  assert.equal(same.events, []);

  const removed = await world.appended(() => world.admin.delete('/api/media/trips/2026/a.gif'));
  assert.equal(removed.result.json, { success: true });
  assert.equal(
    removed.events.map(({ subject, trailers }) => [subject, trailers.Event]),
    [['media/trips/2026/a.gif: delete', 'media.deleted']],
  );
  assert.is(blobAt(world, 'media/trips/2026/a.gif'), undefined);
  assert.is(blobAt(world, 'media/trips/2026/.meta/a.gif.json'), undefined);
  assert.is((await world.admin.get('/api/media')).json.total, 0);
  assert.is((await world.admin.delete('/api/media/trips/2026/a.gif')).status, 404);
  assert.equal(bytesOf(world, sha256(gif())), gif());
});

test('the same bytes in the same folder are the same file; other bytes under its name get the next name', async () => {
  await using world = await makeWorld();
  const first = await upload(world.admin, 'a.gif', gif(1));
  const again = await world.appended(() => upload(world.admin, 'other-name.gif', gif(1)));
  assert.equal(again.result.json, first.json);
  assert.equal(again.events, []);
  const second = await upload(world.admin, 'A.GIF', gif(2));
  const third = await upload(world.admin, 'a.gif', gif(3));
  const elsewhere = await upload(world.admin, 'a.gif', gif(1), { folder: 'more' });
  assert.equal(
    [second, third, elsewhere].map(({ json }) => json.url),
    ['/uploads/images/a-2.gif', '/uploads/images/a-3.gif', '/uploads/more/a.gif'],
  );
});

test('concurrent uploads of one name are each a file, and those of the same bytes are one', async () => {
  await using world = await makeWorld();
  const { result, events } = await world.appended(() =>
    Promise.all(Array.from({ length: 24 }, (_, i) => upload(world.admin, 'same.gif', gif(i % 8)))),
  );
  assert.ok(result.every(({ status }) => status === 200));
  assert.is(events.length, 8);
  for (const { json } of result) {
    const listed = world.site().media.find('images', json.filename)!;
    assert.is(listed.sha256, json.sha256);
    assert.is(sha256(bytesOf(world, json.sha256)), json.sha256);
  }
  assert.is(new Set(result.map(({ json }) => json.filename)).size, 8);
  assert.equal(leftovers(world), []);
});

test('uploads are there after a restart, with and without the saved index', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await world.admin.patch('/api/media/images/a.gif', { alt: 'One', tags: ['x'] });
  await upload(world.admin, 'b.gif', gif(2));
  const before = await world.admin.get('/api/media');
  await world.restart();
  assert.equal((await world.admin.get('/api/media')).json, before.json);
  assert.equal((await world.admin.get('/api/search?q=one')).json.length, 1);
});

test('uploads need media:write, deletions media:delete, lists media:read', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif());
  const reader = await world.token(['media:read']);
  const writer = await world.token(['media:write']);
  assert.is((await upload(world.anonymous, 'b.gif', gif(2))).status, 401);
  assert.is((await upload(reader, 'b.gif', gif(2))).status, 403);
  assert.is((await upload(writer, 'b.gif', gif(2))).status, 200);
  assert.is((await writer.get('/api/media')).status, 403);
  assert.is((await world.anonymous.get('/api/media')).status, 401);
  assert.is((await writer.delete('/api/media/images/a.gif')).status, 403);
  assert.is((await reader.patch('/api/media/images/nothing.gif', 'no json')).status, 403);
  assert.is((await writer.patch('/api/media/images/nothing.gif', 'no json')).status, 404);
  assert.is((await writer.patch('/api/media/images/a.gif', 'no json')).status, 400);
  assert.is((await reader.get('/api/media?limit=0')).status, 400);
  assert.is((await reader.get('/api/media?type=film')).status, 400);
});

test('a list has pages and an entity tag that changes with it, however many files it has', async () => {
  await using world = await makeWorld();
  for (let n = 0; n < 3; n++) {
    world.advance(1000);
    await upload(world.admin, `f${n}.gif`, gif(n));
  }
  const page = await world.admin.get('/api/media?limit=1&offset=1&q=images');
  assert.equal(
    page.json.files.map(({ name }: { name: string }) => name),
    ['f1.gif'],
  );
  assert.is(page.json.total, 3);
  assert.match(String(page.headers.link), /offset=2.*rel="next".*offset=0.*rel="prev"/);
  const list = await world.admin.get('/api/media');
  const tag = { 'if-none-match': String(list.headers.etag) };
  assert.is((await world.admin.get('/api/media', tag)).status, 304);
  assert.is((await world.admin.get('/api/media?limit=1', tag)).status, 200);
  await world.admin.patch('/api/media/images/f0.gif', { alt: 'Nought' });
  const again = await world.admin.get('/api/media', tag);
  assert.is(again.status, 200);
  assert.is(again.json.files[2].alt, 'Nought');
  // Many files may have been pushed.
  const { store } = world.site();
  await store.log.flush();
  const pointer = toPointerFile({ sha256: sha256(gif(0)), sizeBytes: gif(0).length }).toString();
  const many = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`media/many/p${n}.gif`, pointer]));
  commitBeside(store.repository, many, undefined, 'refs/heads/main');
  await eventually(async () => assert.is((await world.admin.get('/api/media?limit=1')).json.total, 453), 5000);
  const all = await world.admin.get('/api/media?folder=many');
  assert.is(all.json.files.length, 450);
  assert.is(new Set(all.json.files.map(({ name }: { name: string }) => name)).size, 450);
});

test('a page of another origin cannot upload with a user’s cookie', async () => {
  await using world = await makeWorld();
  const body = multipart([{ name: 'file', filename: 'a.gif', content: gif() }]);
  const reply = await world.admin.post('/api/upload', body, { ...MULTIPART, origin: 'https://evil.example' });
  assert.is(reply.status, 403);
  assert.is([...world.site().media.files()].length, 0);
});

test.run();
