import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { download } from '../../support/download.ts';
import { commitBeside } from '../../support/external.ts';
import { eventually } from '../../support/process.ts';
import { gif, sha256, upload } from '../../support/upload.ts';
import { CONFIG, makeWorld, type World } from '../../support/world.ts';

/** A file that takes several reads: too large to be kept in memory. */
const LARGE = Buffer.concat([gif(), Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))]);

async function put(world: World, name: string, content: Buffer | string, folder?: string): Promise<string> {
  const { status, json, text } = await upload(world.admin, name, content, folder === undefined ? {} : { folder });
  assert.is(status, 200, text);
  return json.url;
}

/** Makes a site serve bytes that were not inspected, like a push of a pointer to existing bytes. */
async function pushed(world: World, path: string, content: Buffer | string): Promise<string> {
  const hash = sha256(content);
  const { media, store } = world.site();
  await store.log.flush();
  const file = media.bytesPath(hash);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const pointer = toPointerFile({ sha256: hash, sizeBytes: Buffer.byteLength(content) }).toString();
  commitBeside(store.repository, { [`media/${path}`]: pointer }, undefined, 'refs/heads/main');
  await eventually(() => assert.ok(media.findBySlug(path)), 15_000);
  return `/uploads/${path.split('/').map(encodeURIComponent).join('/')}`;
}

test('a file is public, with its type, its hash as entity tag and a long cache lifetime', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'dot.gif', gif());
  const { status, headers, bytes } = await download(world, url);
  assert.is(status, 200);
  assert.equal(bytes, gif());
  assert.is(headers['content-type'], 'image/gif');
  assert.is(headers['content-length'], String(gif().length));
  assert.is(headers.etag, `"${sha256(gif())}"`);
  assert.is(headers['cache-control'], 'public, max-age=604800, stale-while-revalidate=604800');
  assert.is(headers['x-content-type-options'], 'nosniff');
  assert.is(headers['accept-ranges'], 'bytes');
  assert.is(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.is(headers['access-control-allow-origin'], undefined);
  assert.is(headers['content-disposition'], undefined);
  assert.is(headers['content-encoding'], undefined);
});

test('pages of other origins may frame files that are shown in place, and no header says otherwise', async () => {
  await using world = await makeWorld();
  for (const [name, content] of [
    ['dot.gif', gif()],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a.pdf', '%PDF-1.4\n1 0 obj\n'],
  ] as const) {
    const { headers } = await download(world, await put(world, name, content));
    assert.match(String(headers['content-security-policy']), /frame-ancestors \*/, name);
    assert.is(headers['x-frame-options'], undefined, name);
  }
  assert.is((await download(world, '/uploads/images/nothing.gif')).headers['x-frame-options'], 'DENY');
});

test('HEAD answers the same without the bytes', async () => {
  await using world = await makeWorld();
  for (const [name, content] of [
    ['dot.gif', gif()],
    ['large.gif', LARGE],
  ] as const) {
    const url = await put(world, name, content);
    const got = await download(world, url);
    const head = await download(world, url, { range: 'bytes=0-1' }, 'HEAD');
    assert.is(head.status, 200);
    assert.is(head.bytes.length, 0);
    const described = ({ headers }: typeof got) =>
      ['content-type', 'content-length', 'etag', 'cache-control', 'accept-ranges'].map((header) => headers[header]);
    assert.equal(described(head), described(got));
  }
});

test('a client that has the bytes gets 304', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'large.gif', LARGE);
  const { headers } = await download(world, url);
  for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const again = await download(world, url, { 'if-none-match': tag, range: 'bytes=0-1' });
    assert.is(again.status, 304, tag);
    assert.is(again.bytes.length, 0);
    assert.is(again.headers.etag, headers.etag);
    assert.is(again.headers['cache-control'], headers['cache-control']);
  }
  assert.is((await download(world, url, { 'if-none-match': '"other"' })).status, 200);
});

test('a range gets that part, and one after the end gets 416 with the size of the file', async () => {
  await using world = await makeWorld();
  for (const [name, content] of [
    ['dot.gif', gif()],
    ['large.gif', LARGE],
  ] as const) {
    const url = await put(world, name, content);
    const size = content.length;
    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=5-', 5, size],
      ['bytes=-7', size - 7, size],
      [`bytes=3-${size * 2}`, 3, size],
    ];
    for (const [range, start, end] of parts) {
      const { status, headers, bytes } = await download(world, url, { range });
      assert.is(status, 206, range);
      assert.equal(bytes, content.subarray(start, end));
      assert.is(headers['content-range'], `bytes ${start}-${end - 1}/${size}`);
      assert.is(headers['content-length'], String(end - start));
      assert.is(headers.etag, `"${sha256(content)}"`);
    }
    const behind = await download(world, url, { range: `bytes=${size}-` });
    assert.is(behind.status, 416);
    assert.is(behind.headers['content-range'], `bytes */${size}`);
    assert.is(JSON.parse(behind.bytes.toString()).code, 'range_not_satisfiable');
    for (const range of ['bytes=0-1,3-4', 'bytes=9-1', 'lines=1-2']) {
      const whole = await download(world, url, { range });
      assert.is(whole.status, 200, range);
      assert.equal(whole.bytes, content);
    }
  }
});

test('a range of another version than the client has gets the whole file', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'large.gif', LARGE);
  const { etag } = (await download(world, url)).headers;
  assert.is((await download(world, url, { range: 'bytes=0-1', 'if-range': etag! })).status, 206);
  assert.is((await download(world, url, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
  assert.is((await download(world, url, { range: 'bytes=999999-', 'if-range': '"other"' })).status, 200);
});

test('a file that browsers should not show in place is an attachment with its name', async () => {
  await using world = await makeWorld();
  const shown = { 'a.txt': 'text', 'a.pdf': '%PDF-1.4\n', 'a.gif': gif() };
  for (const [name, content] of Object.entries(shown)) {
    const { headers } = await download(world, await put(world, name, content));
    assert.is(headers['content-disposition'], undefined, name);
    assert.not.match(headers['content-security-policy'] ?? '', /sandbox/);
  }
  const attached = { 'a.csv': 'a;b\n', 'a.json': '{}', 'a.md': '# a\n', 'b.txt': '<p>text</p>', 'a.xml': '<a/>' };
  for (const [name, content] of Object.entries(attached)) {
    const { headers } = await download(world, await put(world, name, content));
    assert.is(headers['content-disposition'], `attachment; filename="${name}"`);
    assert.match(headers['content-security-policy'] ?? '', /sandbox/);
    assert.is(headers['x-content-type-options'], 'nosniff');
  }
});

test('pushed bytes are served by their content, whatever their names promise', async () => {
  await using world = await makeWorld();
  await put(world, 'first.gif', gif());
  const page = '<!doctype html><script>alert(document.domain)</script>';
  const asPage = await download(world, await pushed(world, 'images/page.html', page));
  assert.is(asPage.status, 200);
  assert.is(asPage.headers['content-type'], 'application/octet-stream');
  assert.is(asPage.headers['content-disposition'], 'attachment; filename="page.html"');
  const asImage = await download(world, await pushed(world, 'images/page.png', `${page} `));
  assert.is(asImage.headers['content-type'], 'application/octet-stream');
  const odd = await download(world, await pushed(world, 'images/Grüße; x.exe', 'MZ\0'));
  assert.is(
    odd.headers['content-disposition'],
    `attachment; filename="Gr__e_ x.exe"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%3B%20x.exe`,
  );
  const asText = await download(world, await pushed(world, 'images/drawing.txt', '<svg onload="alert(1)"/>'));
  assert.is(asText.headers['content-type'], 'image/svg+xml');
  assert.match(asText.headers['content-security-policy'] ?? '', /(^|; )sandbox$/);
  assert.not.match(asText.bytes.toString(), /onload/);
  const alone = await download(world, await pushed(world, 'alone.gif', gif(7)));
  assert.equal(alone.bytes, gif(7));
});

test('a drawing is served clean and in a sandbox, in ranges too, with an entity tag of the clean bytes', async () => {
  await using world = await makeWorld();
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="9" height="9"/></svg>';
  const url = await put(world, 'a.svg', drawing);
  const { status, headers, bytes } = await download(world, url);
  assert.is(status, 200);
  assert.is(headers['content-type'], 'image/svg+xml');
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'unsafe-inline';.*; sandbox$/);
  assert.match(bytes.toString(), /<rect width="9" height="9"\/>/);
  assert.not.match(bytes.toString(), /script/);
  assert.is(headers['content-length'], String(bytes.length));
  assert.is.not(headers.etag, `"${sha256(drawing)}"`);
  assert.equal((await download(world, url, { range: 'bytes=1-3' })).bytes, bytes.subarray(1, 4));
  await world.restart();
  assert.equal((await download(world, url)).bytes, bytes);
});

test('a path that is odd, leads out or is encoded differently is not found', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'dot.gif', gif());
  assert.is(url, '/uploads/images/dot.gif');
  assert.is(await put(world, 'dot.gif', gif(), 'a/b'), '/uploads/a/b/dot.gif');
  assert.is((await download(world, '/uploads/a/b/dot.gif')).status, 200);
  const odd = [
    '/uploads/images/../../secret',
    '/uploads/../secret',
    '/uploads/images/%2e%2e/dot.gif',
    '/uploads/images/..%2f..%2fsecret',
    '/uploads/%2e%2e/%2e%2e/secret',
    '/uploads/images%2fdot.gif',
    '/uploads/images%2Fdot.gif',
    '/uploads/a%2fb/dot.gif',
    '/uploads/images%5c..%5cdot.gif',
    '/uploads/images/dot.gif%00',
    '/uploads/images/dot.gif%00.png',
    '/uploads/images/dot.gif/',
    '/uploads/images//dot.gif',
    '/uploads/images/./dot.gif',
    '/uploads/images',
    '/uploads/',
    '/uploads',
    '/uploads/Images/dot.gif',
    '/uploads/images/DOT.GIF',
    '/Uploads/images/dot.gif',
    '/uploads/images/dot.gif%20',
    '/uploads/images/.meta/dot.gif.json',
    '/uploads/images/%ff',
    `/uploads/${'a/'.repeat(3000)}dot.gif`,
  ];
  for (const path of odd) {
    const { status, headers } = await download(world, path);
    assert.ok(status === 404 || status === 400, `${status} for ${path}`);
    assert.is(headers['cache-control'], 'no-store');
  }
});

test('a deleted file, and one whose bytes never arrived, is not found', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'large.gif', LARGE);
  rmSync(world.site().media.bytesPath(sha256(LARGE)));
  assert.is((await download(world, url)).status, 404);
  const other = await put(world, 'dot.gif', gif());
  assert.is((await download(world, other)).status, 200);
  assert.is((await world.admin.delete('/api/media/images/dot.gif')).status, 200);
  assert.is((await download(world, other)).status, 404);
});

test('each site serves its own files, and an answer that depends on credentials is private', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const put = (site: string, content: Buffer) => upload(world.admin, 'a.gif', content, { query: `?site=${site}` });
  const [ours, theirs] = [await put('default', gif(1)), await put('other', gif(2))];
  assert.is(ours.status, 200, ours.text);
  assert.equal((await download(world, '/uploads/images/a.gif?site=default')).bytes, gif(1));
  assert.equal((await download(world, '/uploads/images/a.gif?site=other')).bytes, gif(2));
  assert.equal((await download(world, theirs.json.url)).bytes, gif(2));
  assert.equal((await download(world, '/uploads/images/a.gif')).bytes, gif(1), 'of the default site');
  assert.is((await download(world, '/uploads/images/a.gif?site=none')).status, 404);
  const { status, headers } = await world.admin.get('/uploads/images/a.gif?site=other');
  assert.is(status, 200);
  assert.is(headers['cache-control'], 'public, max-age=604800, stale-while-revalidate=604800');
  const editor = await world.user('editor', ['other']);
  const unnamed = await editor.get('/uploads/images/a.gif');
  assert.is(unnamed.status, 200);
  assert.is(unnamed.headers['cache-control'], 'private, max-age=604800, stale-while-revalidate=604800');
});

test.run();
