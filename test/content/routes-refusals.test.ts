// Every refusal of the content routes, and that it changes nothing: the same newest commit, the same documents.
import { request as httpRequest } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, makeWorld, type Reply, type World } from '../support/world.ts';

interface Case {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  status: number;
  code: string;
  /** Paths of the problems, if there are details. */
  paths?: string[];
}

/** Sends each request and checks the answer, the log and the documents. */
async function refuse(world: World, client: Client, cases: Case[]): Promise<void> {
  const before = await stateOf(world);
  for (const { method, path, body, headers, status, code, paths } of cases) {
    const reply = await client.request(method, path, body, headers);
    const what = `${method} ${path} ${JSON.stringify(body)?.slice(0, 200)}: ${reply.text.slice(0, 200)}`;
    assert.is(reply.status, status, what);
    checkError(reply, code, what);
    if (paths)
      assert.equal(
        reply.json.details?.map((detail: { path: string }) => detail.path),
        paths,
        what,
      );
  }
  assert.equal(await stateOf(world), before);
}

function checkError({ json, headers }: Reply, code: string, what: string): void {
  assert.type(json?.error, 'string', what);
  assert.is(json.code, code, what);
  assert.match(String(headers['content-type']), /^application\/json/, what);
  assert.is(headers['x-cms-commit'], undefined, what);
}

async function stateOf(world: World): Promise<object> {
  await world.site().store.log.flush();
  const { head, gitHead } = world.site().store.log.status();
  const lists = ['posts', 'notes', 'many'].map(async (name) => (await world.admin.get(`/api/cms/${name}`)).text);
  return { head, gitHead, lists: await Promise.all(lists) };
}

async function makePosts(): Promise<World> {
  const world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A', tags: ['x'] } });
  await world.admin.post('/api/cms/posts', { slug: 'b', data: {} });
  return world;
}

const BODY = { slug: 'new', data: { title: 'T' } };
const bad = (body: unknown, paths: string[]): Pick<Case, 'body' | 'status' | 'code' | 'paths'> => ({
  body,
  paths,
  status: 400,
  code: 'invalid_input',
});

test('mistakes in a new document are a 400 that names every place', async () => {
  await using world = await makePosts();
  const bodies: [unknown, string[]][] = [
    [{}, ['data']],
    [{ data: null }, ['data']],
    [{ data: [] }, ['data']],
    [{ data: 'x' }, ['data']],
    [
      { slug: 'x', data: { title: 5, rank: 'x', tags: 'x', mood: 'sad', body: 5, seo: [] } },
      [...['data.title', 'data.rank', 'data.tags', 'data.body', 'data.seo']],
    ],
    [{ status: 'published', data: { title: 'x'.repeat(41) } }, ['data.title']],
    [{ status: 'published', data: { title: 'T', rank: -1, mood: 'sad' } }, ['data.rank', 'data.mood']],
    [{ data: { tags: ['a', null] } }, ['data.tags.1']],
    [{ status: 'published', data: {} }, ['data.title']],
    [{ status: 'published', data: { title: null, seo: { title: null } } }, ['data.title', 'data.seo.title']],
    [{ status: 'live', data: {} }, ['status']],
    [{ status: null, data: {} }, ['status']],
    [{ status: 'constructor', data: {} }, ['status']],
    [{ slug: null, data: {} }, ['slug']],
    [{ slug: 5, data: {} }, ['slug']],
    [{ locale: 'not a tag', data: {} }, ['locale']],
    [{ locale: '', data: {} }, ['locale']],
    [{ locale: null, data: {} }, ['locale']],
    [{ translationOf: 'nowhere', data: {} }, ['translationOf']],
    [{ translationOf: '', data: {} }, ['translationOf']],
    [{ slug: 'self', translationOf: 'self', data: {} }, ['translationOf']],
    [{ translationOf: 5, data: {} }, ['translationOf']],
    [{ translationGroup: 'x', data: {} }, ['translationGroup']],
    [{ publishAt: 'soon', data: {} }, ['publishAt']],
    [{ publishAt: '2027-01-01', data: {} }, ['publishAt']],
    [{ publishAt: '2027-02-30T00:00:00Z', data: {} }, ['publishAt']],
    [{ publishAt: '2027-01-01T00:00:00', data: {} }, ['publishAt']],
    [{ publishAt: '9999-12-31T23:59:59-05:00', data: {} }, ['publishAt']],
    [{ unpublishAt: 5, data: {} }, ['unpublishAt']],
    [{ data: { _fieldMeta: {} } }, ['data._fieldMeta']],
    [{ status: 'x', slug: 'X', data: 5 }, ['data', 'slug', 'status']],
  ];
  const cases = ['/api/cms/posts', '/api/content/posts'].flatMap((path) =>
    bodies.map(([body, paths]): Case => ({ method: 'POST', path, ...bad(body, paths) })),
  );
  await refuse(world, world.admin, cases);
});

test('a slug must keep to the rule', async () => {
  await using world = await makePosts();
  const slugs = [
    '',
    'A',
    'a b',
    'ä',
    '-a',
    '.git',
    'git~1',
    'a..b',
    'a.',
    'con',
    'nul.txt',
    'a/b',
    '../a',
    '%2e',
    'a\n',
  ];
  slugs.push('x'.repeat(201), 'a\u0000b', '_a', 'lpt1', 'com9.json');
  const cases = slugs.flatMap((slug): Case[] => [
    { method: 'POST', path: '/api/cms/posts', ...bad({ slug, data: {} }, ['slug']) },
    { method: 'PATCH', path: '/api/cms/posts/a', ...bad({ slug }, ['slug']) },
  ]);
  await refuse(world, world.admin, cases);
  for (const slug of ['a.b', 'a_b', '0', 'x'.repeat(200), 'con-1', 'git'])
    assert.is((await world.admin.post('/api/cms/posts', { slug, data: {} })).json.slug, slug);
});

test('mistakes in a change are a 400, on all three routes', async () => {
  await using world = await makePosts();
  const bodies: [unknown, string[]][] = [
    [{ data: null }, ['data']],
    [{ data: [1] }, ['data']],
    [{ data: { title: null } }, ['data.title']],
    [{ data: { title: 5 } }, ['data.title']],
    [{ data: { _fieldMeta: null } }, ['data._fieldMeta']],
    [{ status: 'x' }, ['status']],
    [{ translationOf: 'a' }, ['translationOf']],
    [{ translationOf: 'nowhere' }, ['translationOf']],
    [{ locale: 'x_y!' }, ['locale']],
    [{ publishAt: '' }, ['publishAt']],
  ];
  const doors: [string, string][] = [
    ['PATCH', '/api/cms/posts/a'],
    ['PUT', '/api/cms/posts/a'],
    ['PUT', '/api/content/posts/a'],
  ];
  await refuse(
    world,
    world.admin,
    doors.flatMap(([method, path]) => bodies.map(([body, paths]): Case => ({ method, path, ...bad(body, paths) }))),
  );
  await refuse(world, world.admin, [
    { method: 'PATCH', path: '/api/cms/posts/b', ...bad({ status: 'published' }, ['data.title']) },
  ]);
});

test('keys, numbers and texts that JSON can carry but that cannot be stored are a 400', async () => {
  await using world = await makePosts();
  const texts: [string, string[]?][] = [
    ['{"data":{"__proto__":{"x":1}}}', ['data.__proto__']],
    ['{"data":{"constructor":1}}', ['data.constructor']],
    ['{"data":{"a":[{"prototype":1}]}}', ['data.a.0.prototype']],
    ['{"data":{"\\u005f_proto__":1}}', ['data.__proto__']],
    ['{"__proto__":1,"data":{}}', ['__proto__']],
    ['{"data":{"a":1e400}}', ['data.a']],
    ['{"data":{"a":-1e400}}', ['data.a']],
    ['{"data":{"a":12345678901234567890}}', ['data.a']],
    ['{"data":{"a":1e-400}}', ['data.a']],
    ['{"data":{"a":"\\ud800"}}', ['data.a']],
    [`{"data":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`],
    ['{"data":{}'],
    ['{"data":{},}'],
    ["{'data':{}}"],
    ['[]'],
    ['null'],
    ['5'],
    ['"x"'],
    ['NaN'],
    [''],
  ];
  const cases = texts.flatMap(([body, paths]): Case[] =>
    [
      ['POST', '/api/cms/posts'],
      ['PATCH', '/api/cms/posts/a'],
    ].map(([method, path]) => ({
      method: method!,
      path: path!,
      body,
      status: 400,
      code: 'invalid_input',
      ...(paths ? { paths } : {}),
    })),
  );
  cases.push({
    method: 'POST',
    path: '/api/cms/posts',
    body: Buffer.concat([Buffer.from('{"data":{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}}')]),
    status: 400,
    code: 'invalid_input',
  });
  await refuse(world, world.admin, cases);
});

test('a body must be JSON of at most 1 MiB', async () => {
  await using world = await makePosts();
  const type = (value: string): Record<string, string> => ({ 'content-type': value });
  const unsupported = { method: 'POST', path: '/api/cms/posts', status: 415, code: 'unsupported_media_type' };
  await refuse(world, world.admin, [
    { ...unsupported, body: BODY, headers: type('text/plain') },
    { ...unsupported, body: 'data=1', headers: type('application/x-www-form-urlencoded') },
    { ...unsupported, body: BODY, headers: type('application/json; charset=latin1') },
    { ...unsupported, body: BODY, headers: { 'content-encoding': 'gzip' } },
    { ...unsupported, method: 'PATCH', path: '/api/cms/posts/a', body: BODY, headers: type('text/html') },
    {
      method: 'POST',
      path: '/api/cms/posts',
      body: { data: { a: 'x'.repeat(1 << 20) } },
      status: 413,
      code: 'too_large',
    },
    {
      method: 'PUT',
      path: '/api/cms/posts/a',
      body: { data: { a: 'x'.repeat(1 << 20) } },
      status: 413,
      code: 'too_large',
    },
  ]);
  const room = (1 << 20) - '{"data":{"a":""}}'.length;
  assert.is((await world.admin.post('/api/cms/posts', { data: { a: 'x'.repeat(room) } })).status, 200);
});

test('a list query that makes no sense is a 400 that names the parameter', async () => {
  await using world = await makePosts();
  const queries: [string, string][] = [
    ...['0', '-1', '', '1.5', 'x', '1e3', '+1', ' 1', '0x1'].map((value): [string, string] => ['limit', value]),
    ...['-1', '', '1.5', 'x'].map((value): [string, string] => ['offset', value]),
    ...['', 'up', 'ASC', 'constructor'].map((value): [string, string] => ['order', value]),
    ...['', 'live', 'Draft', 'toString', 'draft,published'].map((value): [string, string] => ['status', value]),
    ...['', 'x_y', '!'].map((value): [string, string] => ['locale', value]),
  ];
  const cases = queries.flatMap(([name, value]) =>
    ['cms', 'content'].map(
      (family): Case => ({
        method: 'GET',
        path: `/api/${family}/posts?${name}=${encodeURIComponent(value)}`,
        status: 400,
        code: 'invalid_input',
        paths: [name],
      }),
    ),
  );
  await refuse(world, world.admin, [
    ...cases,
    { method: 'GET', path: '/api/cms/posts?limit=1&limit=2', status: 400, code: 'invalid_input', paths: ['limit'] },
    { method: 'GET', path: '/api/cms/posts?orderBy=%ff', status: 400, code: 'invalid_input' },
    { method: 'GET', path: '/api/cms/posts?limit=0&offset=-1', ...bad(undefined, ['limit', 'offset']) },
  ]);
});

test('a missing collection or document is a 404, whatever else is wrong with the request', async () => {
  await using world = await makePosts();
  const missing = { status: 404, code: 'not_found' };
  const cases = ['/api/cms', '/api/content'].flatMap((family): Case[] => [
    { method: 'GET', path: `${family}/nope?limit=0`, ...missing },
    { method: 'POST', path: `${family}/nope`, body: '{', ...missing },
    { method: 'GET', path: `${family}/nope/a`, ...missing },
    { method: 'GET', path: `${family}/posts/none`, ...missing },
    { method: 'PUT', path: `${family}/posts/none`, body: '{', ...missing },
    { method: 'PUT', path: `${family}/nope/a`, body: {}, ...missing },
    { method: 'PUT', path: `${family}/posts/none`, body: 'x', headers: { 'content-type': 'text/plain' }, ...missing },
    { method: 'PUT', path: `${family}/posts/none`, body: {}, headers: { 'if-match': '*' }, ...missing },
    { method: 'DELETE', path: `${family}/posts/none`, headers: { 'if-match': '"x"' }, ...missing },
    { method: 'DELETE', path: `${family}/nope/a`, ...missing },
    ...['constructor', '__proto__', 'toString', '%2e%2e', 'a%2fb', 'a%00', 'a/'].map((name) => ({
      method: 'GET',
      path: `${family}/posts/${name}`,
      ...missing,
    })),
    ...['constructor', '__proto__', 'POSTS', 'posts%20'].map((name) => ({
      method: 'GET',
      path: `${family}/${name}`,
      ...missing,
    })),
    { method: 'GET', path: `${family}/posts/a/more`, ...missing },
  ]);
  cases.push(
    { method: 'PATCH', path: '/api/cms/posts/none', body: '{', ...missing },
    { method: 'GET', path: '/api/nope', ...missing },
    { method: 'GET', path: '/API/cms/posts', ...missing },
  );
  await refuse(world, world.admin, cases);
  await refuse(world, world.admin, [
    { method: 'GET', path: '/api/cms/posts/%ff', status: 400, code: 'invalid_input' },
    { method: 'DELETE', path: '/api/content/posts/%zz', status: 400, code: 'invalid_input' },
  ]);
});

test('a method that a path does not have is a 405 with the methods that it has', async () => {
  await using world = await makePosts();
  const allowed: [string, string, string][] = [
    ['PATCH', '/api/cms/posts', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/api/content/posts', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/api/cms/posts/a', 'GET, HEAD, PATCH, PUT, DELETE, OPTIONS'],
    ['PATCH', '/api/content/posts/a', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['DELETE', '/api/content/posts/a/_fieldMeta', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/content/posts/a/_fieldMeta/lock-all', 'PUT, OPTIONS'],
    ['GET', '/api/content/posts/a/_fieldMeta/title/lock', 'PUT, OPTIONS'],
  ];
  const before = await stateOf(world);
  for (const [method, path, allow] of allowed) {
    const reply = await world.admin.request(method, path, method === 'GET' ? undefined : {});
    assert.is(reply.status, 405, `${method} ${path}`);
    checkError(reply, 'method_not_allowed', path);
    const names = (text: string | undefined) => String(text).split(', ').sort();
    assert.equal(names(reply.headers.allow), names(allow), path);
  }
  assert.equal(await stateOf(world), before);
});

test('a slug that is taken is a 409, and nothing changes', async () => {
  await using world = await makePosts();
  await refuse(world, world.admin, [
    { method: 'POST', path: '/api/cms/posts', body: { slug: 'a', data: {} }, status: 409, code: 'conflict' },
    { method: 'POST', path: '/api/content/posts', body: { slug: 'b', data: {} }, status: 409, code: 'conflict' },
    {
      method: 'PATCH',
      path: '/api/cms/posts/b',
      body: { slug: 'a', data: { title: 'lost?' } },
      status: 409,
      code: 'conflict',
    },
    { method: 'PUT', path: '/api/content/posts/a', body: { slug: 'b' }, status: 409, code: 'conflict' },
    // A mistake in the body is reported before the conflict.
    { method: 'POST', path: '/api/cms/posts', ...bad({ slug: 'a', data: { rank: 'x' } }, ['data.rank']) },
    { method: 'PATCH', path: '/api/cms/posts/b', ...bad({ slug: 'a', status: 'published' }, ['data.title']) },
  ]);
  assert.is((await world.admin.post('/api/cms/notes', { slug: 'a', data: {} })).status, 200);
});

test('a request that breaks off changes nothing', async () => {
  await using world = await makePosts();
  const before = await stateOf(world);
  await new Promise<void>((done) => {
    const req = httpRequest(`${world.url}/api/cms/posts`, {
      method: 'POST',
      headers: { ...world.admin.headers, 'content-type': 'application/json', 'content-length': '500' },
    });
    req.on('error', () => done());
    req.on('close', () => done());
    req.write('{"slug":"half","data":{"title":"x"}}', () => req.destroy());
  });
  assert.equal(await stateOf(world), before);
  assert.is((await world.admin.get('/api/cms/posts/half')).status, 404);
});

test.run();
