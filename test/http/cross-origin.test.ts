// api.cors over a whole service: who may read what from a page of another origin, and what says so to caches.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, parseConfig } from '../../src/config/parse.ts';
import { upload } from '../support/upload.ts';
import { type Client, CONFIG, makeWorld } from '../support/world.ts';

const FRONT = 'https://www.example.com';
const EVIL = 'https://evil.example';
const NOBODY = { id: null, name: 'test', email: '' };
const FORM = { name: 'contact', fields: [{ name: 'name', type: 'text' as const }] };
const shared = (cors: '*' | string[]) => ({ ...CONFIG, forms: [FORM], api: { publicRead: true, cors } });

const from = (client: Client, path: string, origin: string, headers = {}) => client.get(path, { origin, ...headers });
const preflight = (client: Client, path: string, method: string, origin = FRONT) =>
  client.request('OPTIONS', path, undefined, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,if-none-match',
  });

test('listed origins read content, schema, search and media, also what is a 304 or refused', async () => {
  await using world = await makeWorld({ config: shared([FRONT, 'capacitor://localhost']) });
  await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A' } });
  const { url } = (await upload(world.admin, 'a.txt', 'text')).json;
  const paths = [
    ...['/api/cms/posts', '/api/cms/posts?limit=5', '/api/cms/posts/a', '/api/content/posts', '/api/content/posts/a'],
    ...['/api/schema', '/api/schema/posts', '/api/search?q=A'],
  ];
  for (const path of paths) {
    for (const encoding of [{}, { 'accept-encoding': 'identity' }] as Record<string, string>[]) {
      const ours = await from(world.anonymous, path, FRONT, encoding);
      assert.is(ours.status, 200, path);
      assert.is(ours.headers['access-control-allow-origin'], FRONT, path);
      assert.is(ours.headers['access-control-allow-credentials'], undefined);
      for (const name of ['ETag', 'Link', 'X-Total-Count']) {
        assert.match(ours.headers['access-control-expose-headers'] ?? '', new RegExp(`\\b${name}\\b`));
      }
      for (const other of [
        await from(world.anonymous, path, EVIL, encoding),
        await world.anonymous.get(path, encoding),
      ]) {
        assert.is(other.headers['access-control-allow-origin'], undefined, path);
        assert.match(other.headers.vary ?? '', /origin/i, path);
      }
      const { etag } = ours.headers;
      if (!etag) continue;
      const same = await from(world.anonymous, path, FRONT, { ...encoding, 'if-none-match': etag });
      assert.is(same.status, 304);
      assert.is(same.headers['access-control-allow-origin'], FRONT);
      assert.match(same.headers['access-control-expose-headers'] ?? '', /ETag/);
      assert.match(same.headers.vary ?? '', /origin/i);
    }
  }
  assert.is((await from(world.anonymous, '/api/cms/posts/a', 'capacitor://localhost')).status, 200);
  for (const [path, status] of [
    ['/api/cms/posts/none', 404],
    ['/api/cms/posts?limit=x', 400],
    ['/api/media', 401],
    ['/api/manifest', 401],
  ] as const) {
    const refused = await from(world.anonymous, path, FRONT);
    assert.is(refused.status, status, path);
    assert.is(refused.headers['access-control-allow-origin'], FRONT, path);
  }
  assert.is((await from(world.admin, '/api/media', FRONT)).headers['access-control-allow-origin'], FRONT);
  await world.site().settings.update({ previewSiteUrl: 'https://preview.example/p' }, NOBODY);
  for (const [origin, allowed] of [
    [FRONT, FRONT],
    [EVIL, undefined],
    // Previews in the site's theme have no origin.
    ['null', 'null'],
    ['https://preview.example', 'https://preview.example'],
  ] as const) {
    for (const path of [url, '/uploads/none/none.png']) {
      const { headers } = await from(world.anonymous, path, origin);
      assert.is(headers['access-control-allow-origin'], allowed, `${path} from ${origin}`);
      assert.match(headers.vary ?? '', /origin/i);
      if (allowed) assert.match(headers['access-control-expose-headers'] ?? '', /\bContent-Range\b/);
      const asked = await preflight(world.anonymous, path, 'GET', origin);
      assert.is(asked.headers['access-control-allow-origin'], allowed, `${path} from ${origin}`);
    }
  }
});

test('files of a site with "*" are read by every page', async () => {
  await using world = await makeWorld({ config: shared('*') });
  const { url } = (await upload(world.admin, 'a.txt', 'text')).json;
  assert.is((await from(world.anonymous, url, EVIL)).headers['access-control-allow-origin'], '*');
});

test('a page with a token reads a site that strangers do not know, and learns nothing about it without', async () => {
  const closed = { collections: [{ name: 'posts', fields: [] }], api: { cors: [FRONT] } };
  await using world = await makeWorld({ sites: { closed } });
  const token = await world.token(['content:read'], [{ scope: 'site', effect: 'include', targets: ['closed'] }]);
  for (const [client, site, origin, status, allowed] of [
    [token, 'closed', FRONT, 200, FRONT],
    [token, 'closed', EVIL, 200, undefined],
    [world.anonymous, 'closed', FRONT, 401, '*'],
    [world.anonymous, 'nowhere', FRONT, 401, '*'],
    [world.anonymous, 'closed', EVIL, 401, '*'],
  ] as const) {
    const path = `/api/cms/posts?site=${site}`;
    const reply = await from(client, path, origin);
    assert.equal([reply.status, reply.headers['access-control-allow-origin']], [status, allowed], `${site} ${origin}`);
    const asked = await preflight(world.anonymous, path, 'GET', origin);
    assert.is(asked.headers['access-control-allow-origin'], '*');
    assert.is(asked.headers['access-control-allow-methods'], 'GET, HEAD');
  }
});

test('a preflight names what may be asked across origins, and nothing else', async () => {
  await using world = await makeWorld({ config: shared([FRONT]) });
  const may = await preflight(world.anonymous, '/api/cms/posts/a', 'GET');
  assert.is(may.status, 204);
  assert.is(may.headers['access-control-allow-origin'], FRONT);
  assert.is(may.headers['access-control-allow-methods'], 'GET, HEAD');
  assert.match(may.headers['access-control-allow-headers'] ?? '', /authorization/);
  assert.match(may.headers.vary ?? '', /origin/i);
  for (const [path, method, origin] of [
    ['/api/cms/posts/a', 'PATCH', FRONT],
    ['/api/cms/posts', 'POST', FRONT],
    ['/api/cms/posts/a', 'GET', EVIL],
    ['/api/cms/posts/a', 'GET', 'null'],
    ['/api/upload', 'POST', FRONT],
    ['/api/admin/site', 'GET', FRONT],
    ['/api/admin/login', 'POST', FRONT],
    ['/api/cms/posts/a/history', 'GET', FRONT],
  ] as const) {
    const refused = await preflight(world.anonymous, path, method, origin);
    assert.is(refused.headers['access-control-allow-origin'], undefined, `${method} ${path}`);
    assert.is(refused.headers['access-control-allow-methods'], undefined, `${method} ${path}`);
  }
  const write = await world.admin.post(
    '/api/cms/posts',
    { data: { title: 'x' } },
    { authorization: 'Bearer none', origin: FRONT },
  );
  assert.is(write.headers['access-control-allow-origin'], undefined);
});

test('listed origins send the public forms; "*" reads, and sends none', async () => {
  const send = (client: Client) => client.post('/api/forms/contact', { name: 'Ada' }, { origin: FRONT });
  {
    await using world = await makeWorld({ config: shared([FRONT]), env: { NODE_ENV: 'production' } });
    assert.is(
      (await preflight(world.anonymous, '/api/forms/contact', 'POST')).headers['access-control-allow-origin'],
      FRONT,
    );
    assert.is((await send(world.anonymous)).headers['access-control-allow-origin'], FRONT);
  }
  await using world = await makeWorld({ config: shared('*') });
  for (const path of ['/api/cms/posts', '/api/cms/posts?limit=5', '/api/schema', '/api/cms/posts/none']) {
    assert.is((await from(world.anonymous, path, EVIL)).headers['access-control-allow-origin'], '*', path);
    assert.is((await preflight(world.anonymous, path, 'GET')).headers['access-control-allow-origin'], '*', path);
  }
  assert.is((await send(world.anonymous)).headers['access-control-allow-origin'], undefined);
  assert.is(
    (await preflight(world.anonymous, '/api/forms/contact', 'POST')).headers['access-control-allow-origin'],
    undefined,
  );
});

test('a site without api.cors shares nothing, and its answers do not depend on the origin', async () => {
  await using world = await makeWorld();
  for (const path of ['/api/cms/notes', '/api/cms/notes?limit=5', '/api/schema']) {
    const answer = await from(world.admin, path, FRONT);
    assert.is(answer.headers['access-control-allow-origin'], undefined);
    assert.not.match(answer.headers.vary ?? '', /origin/i);
  }
});

test('an origin with a path, and "*" in a list, are refused with what is expected', () => {
  for (const cors of [
    ['https://a.example/'],
    ['*'],
    ['a.example'],
    ['https://A.example'],
    'https://a.example',
    ['null'],
  ]) {
    assert.throws(
      () => parseConfig({ collections: [], api: { cors } }),
      (error: Error) =>
        error instanceof ConfigError && /api\.cors/.test(error.message) && /expected|https/.test(error.message),
      JSON.stringify(cors),
    );
  }
  const config = parseConfig({ collections: [], api: { cors: ['http://localhost:4321', 'tauri://localhost'] } });
  assert.equal(config.api.cors, ['http://localhost:4321', 'tauri://localhost']);
});

test.run();
