// Other bytes at the same address: the description stays, and no cache shows the old ones for long.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gif, MULTIPART, multipart, sha256, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

const PATH = '/api/media/images/a.gif';
const ADDRESS = '/uploads/images/a.gif';
const BYTES = { 'content-type': 'image/gif' };

async function makeOne(): Promise<World> {
  const world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await world.admin.patch(PATH, { alt: 'Rain', tags: ['wet'] });
  return world;
}

const form = (content: Buffer | string, filename = 'other name.png') =>
  multipart([{ name: 'file', filename, content }]);

test('new bytes are one commit, as a form or as they are; alt text, tags, date and address stay', async () => {
  await using world = await makeOne();
  const [before] = (await world.admin.get('/api/media')).json.files;
  for (const [number, send] of [
    [2, () => world.admin.put(PATH, gif(2), BYTES)],
    [33, () => world.admin.put(PATH, form(gif(33)), MULTIPART)],
  ] as const) {
    world.advance(1000);
    const { result, events } = await world.appended(send);
    assert.is(result.status, 200, result.text);
    const hash = sha256(gif(number));
    assert.equal(result.json, { ...before, sha256: hash, size: gif(number).length });
    assert.is(result.headers.etag, `"${hash}"`);
    assert.equal(
      events.map(({ subject, trailers }) => [subject, trailers.Event]),
      [['media/images/a.gif: replace', 'media.uploaded']],
    );
    assert.is(result.headers['x-cms-commit'], events[0]!.commit);
    const served = await world.anonymous.get(ADDRESS);
    assert.equal([served.headers.etag, served.headers['content-length']], [`"${hash}"`, String(gif(number).length)]);
  }
  assert.is(await world.site().media.hasBytes(before.sha256), true, 'earlier commits keep theirs');
  const shown = (await world.admin.get('/api/media')).json;
  await world.restart();
  assert.equal((await world.admin.get('/api/media')).json, shown);
});

test('the same bytes make no commit, also when they are sent by several at once', async () => {
  await using world = await makeOne();
  const same = await world.appended(() => world.admin.put(PATH, gif(1), BYTES));
  assert.equal([same.result.status, same.events], [200, []]);
  const both = await world.appended(() => Promise.all([1, 2].map(() => world.admin.put(PATH, gif(2), BYTES))));
  assert.equal([both.result.map(({ status }) => status), both.events.length], [[200, 200], 1]);
});

test('bytes that do not fit are refused and change nothing', async () => {
  await using world = await makeOne();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  const refused: [number, Buffer, Record<string, string>][] = [
    [415, png, { 'content-type': 'image/gif' }],
    [415, Buffer.from('plain words'), BYTES],
    [415, Buffer.from('<script>alert(1)</script>'), BYTES],
    [415, gif(2), { ...BYTES, 'content-encoding': 'gzip' }],
    [400, Buffer.alloc(0), BYTES],
    [400, multipart([{ name: 'file', content: 'no file name' }]), MULTIPART],
    [415, form(png), MULTIPART],
    [412, gif(2), { ...BYTES, 'if-match': `"${sha256(gif(7))}"` }],
  ];
  for (const [status, body, headers] of refused) {
    const { result, events } = await world.appended(() => world.admin.put(PATH, body, headers));
    assert.equal([result.status, events], [status, []], `${status} ${JSON.stringify(headers)} ${result.text}`);
  }
  assert.is((await world.admin.put('/api/media/images/none.gif', gif(2), BYTES)).status, 404);
  assert.is((await world.anonymous.put(PATH, gif(2), BYTES)).status, 401);
  assert.is((await world.anonymous.get(ADDRESS)).headers.etag, `"${sha256(gif(1))}"`);
  assert.is(await world.site().media.hasBytes(sha256(gif(2))), false);
});

test('If-Match takes the tag that the address answers, also for a drawing, which is served anew', async () => {
  await using world = await makeOne();
  const svg = (side: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><script/></svg>`;
  await upload(world.admin, 'b.svg', svg(3));
  const path = '/api/media/images/b.svg';
  const { headers } = await world.anonymous.get('/uploads/images/b.svg');
  const match = { 'content-type': 'image/svg+xml', 'if-match': String(headers.etag) };
  const first = await world.admin.put(path, svg(4), match);
  assert.equal([first.status, first.json.width], [200, 4]);
  assert.is((await world.admin.put(path, svg(5), match)).status, 412);
  const served = await world.anonymous.get('/uploads/images/b.svg');
  assert.not.match(served.text, 'script');
  assert.match(served.text, 'width="4"');
});

test('variants are those of the new bytes', async () => {
  await using world = await makeOne();
  const variant = () => world.anonymous.get(`${ADDRESS}?w=1&format=webp`);
  const old = await variant();
  await world.admin.put(PATH, gif(2), BYTES);
  const fresh = await variant();
  assert.equal([old.status, fresh.status], [200, 200]);
  assert.is.not(fresh.headers.etag, old.headers.etag);
  const asked = await world.anonymous.get(`${ADDRESS}?w=1&format=webp`, { 'if-none-match': String(old.headers.etag) });
  assert.is(asked.status, 200);
});

test('caches ask again after a week, and keep for good what an address names by its bytes', async () => {
  await using world = await makeOne();
  const old = sha256(gif(1)).slice(0, 12);
  await world.admin.put(PATH, gif(2), BYTES);
  const now = sha256(gif(2));
  const cacheOf = async (query: string) => (await world.anonymous.get(`${ADDRESS}${query}`)).headers['cache-control'];
  const week = 'public, max-age=604800, stale-while-revalidate=604800';
  const year = 'public, max-age=31536000, immutable';
  const expected: [string, string][] = [
    ['', week],
    [`?v=${old}`, week],
    [`?v=${now.slice(0, 11)}`, week],
    [`?v=${now.slice(0, 12)}`, year],
    [`?v=${now}`, year],
    [`?w=1&v=${now.slice(0, 12)}`, year],
  ];
  for (const [query, header] of expected) assert.is(await cacheOf(query), header, query);
});

test('the feed and the library report new bytes', async () => {
  await using world = await makeOne();
  const { head } = (await world.admin.get('/api/cms/changes')).json;
  const tag = String((await world.admin.get('/api/media')).headers.etag);
  await world.admin.put(PATH, gif(2), BYTES);
  const { changes } = (await world.admin.get(`/api/cms/changes?since=${head}`)).json;
  assert.equal(
    changes.map(({ event, slug }: Record<string, string>) => [event, slug]),
    [['media.uploaded', 'images/a.gif']],
  );
  assert.is((await world.admin.get('/api/media', { 'if-none-match': tag })).status, 200);
});

test.run();
