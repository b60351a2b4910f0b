// The admin's page and files over HTTP: policy, caching, encodings, and what is not there.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readScreens } from '../../src/admin-files/screens.ts';
import { ROOT } from '../support/source.ts';
import { type Client, makeWorld } from '../support/world.ts';

test('every path without a file name is the one page, under a policy with a nonce of its own', async () => {
  await using world = await makeWorld();
  const { anonymous: client } = world;
  const first = await client.get('/admin');
  assert.is(first.status, 200, first.text);
  assert.is(first.headers['cache-control'], 'no-store');
  assert.ok(first.text.length < 3000);
  const policy = String(first.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}';/);
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard colophon$/);
  assert.not.match(policy, /unsafe/);
  const second = await client.get('/admin/content/posts/a-slug/history');
  assert.is(second.status, 200);
  assert.is.not(second.headers['content-security-policy'], policy);
  assert.not.match(first.text, /<script>|<style/);
  for (const missing of ['/admin/main.js', '/admin/assets/main-OLD.js', '/admin/assets/manifest.json']) {
    const { status, json } = await client.get(missing);
    assert.equal([status, json.code], [404, 'not_found'], missing);
  }
});

test('the page says who it is for, and names the scripts of the screen that it shows', async () => {
  await using world = await makeWorld();
  const read = async (client: Client, address: string) => {
    const { text } = await client.get(address);
    const [, visitor] = /<meta name="visitor" content="([^"]+)">/.exec(text) ?? [];
    const scripts = [...text.matchAll(/modulepreload" href="\/admin\/assets\/(\w+)-/g)].map(([, name]) => name);
    return [visitor, scripts.filter((name) => name !== 'chunk').join()];
  };
  assert.equal(await read(world.admin, '/admin'), ['signed-in', 'dashboard']);
  assert.equal(await read(world.admin, '/admin/content/posts?q=x'), ['signed-in', 'list']);
  assert.equal(await read(world.admin, '/admin/content/posts/a.b'), ['signed-in', 'document']);
  assert.equal(await read(world.admin, '/admin/content/posts/a/history'), ['signed-in', 'history']);
  assert.equal(await read(world.admin, '/admin/media/a/b'), ['signed-in', 'media']);
  assert.equal(await read(world.admin, '/admin/nowhere'), ['signed-in', '']);
  assert.equal(await read(world.anonymous, '/admin/content/posts'), ['stranger', 'login']);
  assert.equal(await read(world.anonymous, '/admin/forgotten'), ['stranger', 'forgotten']);
});

test('a screen that the build cannot read from the table is an error', () => {
  const one = "{ path: '/admin', place: 'shell', Screen: screen(() => import('./screens/a.tsx')) },";
  assert.equal(readScreens(one), [{ path: '/admin', place: 'shell', module: 'screens/a.tsx' }]);
  assert.throws(() => readScreens(`${one} const other = () => ${'import'}('./b.tsx');`), /2 screens, 1 can be read/);
});

test('pages of previewSiteUrl may be framed, of the site that the address names, by those who may know of it', async () => {
  await using world = await makeWorld();
  const other = await world.user('viewer', []);
  await world.admin.post('/api/admin/site-config', { previewSiteUrl: 'https://front.example.com/x/{slug}' });
  const policyOf = async (query: string, client = world.admin) =>
    String((await client.get(`/admin${query}`)).headers['content-security-policy']);
  assert.match(await policyOf(''), /frame-src 'self' https:\/\/front\.example\.com;/);
  assert.match(await policyOf('?site=none'), /frame-src 'self';/);
  for (const client of [world.anonymous, other]) assert.match(await policyOf('', client), /frame-src 'self';/);
});

test('files are for ever, compressed as the client accepts, and the same bytes in each encoding', async () => {
  await using world = await makeWorld({ env: { CMS_RATE_LIMIT: '60' } });
  const { text } = await world.anonymous.get('/admin');
  const [, script = ''] = /src="(\/admin\/assets\/main-\w+\.js)"/.exec(text) ?? [];
  const get = async (encoding?: string) => {
    const reply = await fetch(`${world.url}${script}`, { headers: { 'accept-encoding': encoding ?? 'identity' } });
    assert.is(reply.status, 200);
    assert.match(reply.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
    assert.is(reply.headers.get('content-type'), 'text/javascript; charset=utf-8');
    return { encoding: reply.headers.get('content-encoding'), bytes: await reply.text() };
  };
  const plain = await get();
  for (let n = 0; n < 12; n++) await get();
  assert.is(plain.encoding, null);
  for (const [accepted, expected] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', null],
  ] as const) {
    assert.equal(await get(accepted), { encoding: expected, bytes: plain.bytes }, accepted);
  }
});

test('a slug with a dot, and a slash at the end, are addresses of the page', async () => {
  await using world = await makeWorld();
  for (const path of [
    '/admin/',
    '/admin/content/posts/',
    '/admin/content/posts/v1.2',
    '/admin/content/posts/v1.2/history',
  ]) {
    const { status, headers } = await world.anonymous.get(path);
    assert.equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
  }
  assert.is((await world.anonymous.get('/admin/main.js')).status, 404);
  const frame = await world.anonymous.get('/admin/frame');
  assert.match(String(frame.headers['content-security-policy']), /^sandbox allow-scripts; default-src 'none';/);
});

test.run();
