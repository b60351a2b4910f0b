// The site as people see it: pages, types, ranges, conditions, cache headers, rules, and what is never shown.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deploy, openSync, send } from '../sync-world.ts';

const SITE = {
  'index.html': 'home',
  'about.html': 'about',
  'blog/index.html': 'blog',
  'blog/first post.html': 'first',
  '404.html': 'not here',
  'assets/site.3f2a9c1e.css': 'body{}',
  'assets/plain.css': 'body{}',
  'data.bin': '0123456789',
  '.env': 'secret',
  'blog/.draft.html': 'secret',
  '.well-known/security.txt': 'Contact',
  '.well-known/.hidden': 'secret',
};

/** Sends the path as it is: fetch would tidy it up. */
async function rawStatus(url: string, line: string, more = ''): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}

test('addresses lead to pages as on other hosts', async () => {
  await using sync = await openSync();
  await deploy(sync.url, SITE);
  const pages: Record<string, string> = {
    '/': 'home',
    '/index.html': 'home',
    '/about': 'about',
    '/about.html': 'about',
    '/blog/': 'blog',
    '/blog/first%20post': 'first',
    '/.well-known/security.txt': 'Contact',
    '/?x=1': 'home',
  };
  for (const [address, body] of Object.entries(pages)) {
    const response = await fetch(sync.url + address, { redirect: 'manual' });
    assert.equal([response.status, await response.text()], [200, body], address);
  }
  const folder = await fetch(`${sync.url}/blog?x=1`, { redirect: 'manual' });
  assert.equal([folder.status, folder.headers.get('location')], [301, '/blog/?x=1']);
});

test('what does not exist is 404 with the page for it, and what begins with a dot does not exist', async () => {
  await using sync = await openSync();
  await deploy(sync.url, { ...SITE, _redirects: '', _headers: '' });
  for (const address of ['/nope', '/.env', '/blog/.draft.html', '/.well-known/.hidden', '/_redirects', '/_headers']) {
    const response = await fetch(sync.url + address);
    assert.equal([response.status, await response.text()], [404, 'not here'], address);
    assert.is(response.headers.get('cache-control'), 'no-cache');
  }
});

test('no path leads out of the site, and none ends the server', async () => {
  await using sync = await openSync();
  await deploy(sync.url, { 'index.html': 'home', 'a/b.txt': 'x' });
  const statuses: Record<string, number> = {
    'GET /../deploys': 404,
    'GET /a/../index.html': 404,
    'GET /%2e%2e/%2e%2e/etc/passwd': 404,
    'GET /a%2fb.txt': 404,
    'GET /a%5cb.txt': 404,
    'GET //a/b.txt': 404,
    'GET /a\\b.txt': 404,
    'GET /%00': 404,
    'GET /%zz': 400,
    'GET /%ff': 400,
    'POST /': 405,
    'PUT /a/b.txt': 405,
    'DELETE /a/b.txt': 405,
    [`GET /${'x'.repeat(9000)}`]: 414,
    [`GET /${'x'.repeat(20_000)}`]: 431,
  };
  for (const [line, status] of Object.entries(statuses)) {
    assert.is(await rawStatus(sync.url, line), status, line.slice(0, 60));
  }
  assert.is((await fetch(sync.url)).status, 200);
});

test('types, hashes as entity tags, and a year for names with a fingerprint', async () => {
  await using sync = await openSync();
  await deploy(sync.url, SITE);
  const { json } = await send(sync.url, 'GET', '/_icd/manifest');
  const headersOf = async (address: string) => (await fetch(sync.url + address)).headers;
  const page = await headersOf('/about');
  assert.is(page.get('content-type'), 'text/html; charset=utf-8');
  assert.is(page.get('etag'), `"${json.files['about.html']}"`);
  assert.is(page.get('cache-control'), 'no-cache');
  assert.match((await headersOf('/assets/site.3f2a9c1e.css')).get('cache-control')!, 'max-age=31536000');
  assert.is((await headersOf('/assets/plain.css')).get('cache-control'), 'no-cache');
});

test('conditions and ranges', async () => {
  await using sync = await openSync();
  await deploy(sync.url, SITE);
  const etag = (await fetch(`${sync.url}/data.bin`)).headers.get('etag')!;
  const get = async (headers: Record<string, string>) => {
    const response = await fetch(`${sync.url}/data.bin`, { headers });
    return [response.status, await response.text()];
  };
  assert.equal(await get({ 'if-none-match': `"x", W/${etag}` }), [304, '']);
  assert.equal(await get({ 'if-none-match': '"x"' }), [200, '0123456789']);
  assert.equal(await get({ range: 'bytes=2-4' }), [206, '234']);
  assert.equal(await get({ range: 'bytes=7-' }), [206, '789']);
  assert.equal(await get({ range: 'bytes=-2' }), [206, '89']);
  assert.equal(await get({ range: 'bytes=5-100' }), [206, '56789']);
  assert.equal((await get({ range: 'bytes=10-' }))[0], 416);
  assert.equal(await get({ range: 'bytes=4-2' }), [200, '0123456789']);
  assert.equal(await get({ range: 'bytes=0-1,3-4' }), [200, '0123456789']);
  assert.equal(await get({ range: 'bytes=2-4', 'if-range': etag }), [206, '234']);
  assert.equal(await get({ range: 'bytes=2-4', 'if-range': '"x"' }), [200, '0123456789']);
  const head = await fetch(`${sync.url}/data.bin`, { method: 'HEAD' });
  assert.equal([head.status, head.headers.get('content-length'), await head.text()], [200, '10', '']);
});

test('a long file is sent in pieces, whole and in ranges', async () => {
  await using sync = await openSync();
  const long = 'abcdefghij'.repeat(100_000);
  await deploy(sync.url, { 'long.txt': long });
  assert.ok((await (await fetch(`${sync.url}/long.txt`)).text()) === long);
  const part = await fetch(`${sync.url}/long.txt`, { headers: { range: 'bytes=300001-700000' } });
  assert.ok((await part.text()) === long.slice(300_001, 700_001));
});

test('redirects and headers of the site are obeyed', async () => {
  await using sync = await openSync();
  await deploy(sync.url, {
    ...SITE,
    _redirects: [
      '# moved',
      '/old/   /blog/',
      '/about  /elsewhere 302',
      '/p/*  /blog/:splat 302',
      '/app/*  /index.html 200',
      '/ext https://example.org/x?y=1 307',
    ].join('\n'),
    _headers: '/*\n  X-Frame-Options: DENY\n/assets/*\n  Cache-Control: max-age=60\n  Content-Length: 1\n',
  });
  const answer = async (address: string) => {
    const response = await fetch(sync.url + address, { redirect: 'manual' });
    return [response.status, response.headers.get('location') ?? (await response.text())];
  };
  assert.equal(await answer('/old'), [301, '/blog/']);
  assert.equal(await answer('/about'), [200, 'about']);
  assert.equal(await answer('/p/a%20b/c?q=1'), [302, '/blog/a%20b/c?q=1']);
  assert.equal(await answer('/app/any/where'), [200, 'home']);
  assert.equal(await answer('/ext'), [307, 'https://example.org/x?y=1']);
  const css = await fetch(`${sync.url}/assets/plain.css`);
  assert.equal([css.headers.get('x-frame-options'), css.headers.get('cache-control')], ['DENY', 'max-age=60']);
  assert.is(await css.text(), 'body{}');
});

test('a page with a password needs it, and the password is not sent', async () => {
  await using sync = await openSync();
  await deploy(sync.url, { ...SITE, _headers: '/blog/*\n  Basic-Auth: ada:one bob:two\n' });
  const get = async (address: string, pair?: string) =>
    fetch(sync.url + address, pair ? { headers: { authorization: `Basic ${btoa(pair)}` } } : {});
  assert.is((await get('/')).status, 200);
  assert.is((await get('/blog/')).status, 401);
  assert.is((await get('/blog/index.html', 'ada:two')).status, 401);
  const open = await get('/blog/', 'bob:two');
  assert.is(open.status, 200);
  assert.is(open.headers.get('basic-auth'), null);
});

test('a password on one address of a page holds for every address that shows it', async () => {
  await using sync = await openSync();
  const pages = { 'secret.html': 's', 'deep/index.html': 'd', 'a b.html': 'b', 'open.html': 'o', 'page.txt': 't' };
  const status = async (address: string) => (await fetch(sync.url + address, { redirect: 'manual' })).status;
  for (const [rule, locked] of [
    ['/secret', ['/secret', '/secret.html', '/s%65cret', '/secret%2Ehtml', '/secret?x', '/SECRET?', '/shown']],
    ['/secret.html', ['/secret', '/secret.html', '/secret.htm%6c', '/shown']],
    ['/secret/', ['/secret', '/secret.html', '/secret/']],
    ['/deep', ['/deep', '/deep/', '/deep/index', '/deep/index.html', '/deep/ind%65x.html']],
    ['/deep/index.html', ['/deep/', '/deep/index', '/deep/index.html']],
    ['/deep/index', ['/deep/', '/deep/index.html']],
    ['/deep/*', ['/deep/', '/deep/index', '/deep/index.html']],
    ['/', ['/', '/index', '/index.html']],
    ['/a%20b', ['/a%20b', '/a%20b.html']],
    ['/*.html', ['/a%20b', '/secret', '/deep/', '/']],
    ['/page.txt', ['/page.txt', '/p%61ge.txt']],
  ] as const) {
    const _redirects = '/shown /secret 200\n';
    await deploy(sync.url, { 'index.html': 'i', ...pages, _redirects, _headers: `${rule}\n  Basic-Auth: ada:one\n` });
    for (const address of locked) {
      // The names of files are exact: another case is another page, which does not exist.
      assert.is(await status(address), address === '/SECRET?' ? 404 : 401, `${address} under ${rule}`);
    }
    assert.is(await status('/page.txt'), rule === '/page.txt' ? 401 : 200, rule);
    assert.is(await status('/open'), rule === '/*.html' ? 401 : 200, rule);
  }
});

test.run();
