import { request as httpRequest } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { checkNames, knownNames } from '../../src/http/params.ts';
import type { Route } from '../../src/http/route.ts';
import { parseQuery } from '../../src/lib/query.ts';
import { makeWorld, type World } from '../support/world.ts';

/** These take whatever is sent, and say why where they are declared. */
const TAKE_ANY = ['/api/auth/oidc/callback', '/preview/{token}/{file}'];
const isOfApi = ({ path }: Route): boolean => /^\/(api|uploads|preview)\//.test(path) && !TAKE_ANY.includes(path);

const PARAMS: Record<string, string> = { collection: 'posts', slug: 'plan', fieldPath: 'title', folder: 'none' };
const toAddress = (path: string): string => path.replace(/\{([^}]+)\}/g, (_, name) => PARAMS[name] ?? 'none');

async function makePost(world: World): Promise<void> {
  await world.admin.post('/api/cms/posts', { slug: 'plan', data: { title: 'Plan' } });
}

/** Without an `accept-encoding` of a client's own. */
function get(world: World, path: string, headers: Record<string, string>): Promise<{ status?: number | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${world.url}${path}`, { headers }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode }));
    });
    request.once('error', reject).end();
  });
}

async function refusalOf(world: World, path: string): Promise<string | undefined> {
  const { status, json } = await world.admin.get(path);
  return status === 400 ? json.error : undefined;
}

test('every route of the table refuses a parameter that it does not know, and changes nothing', async () => {
  await using world = await makeWorld({ env: { CMS_RATE_LIMIT: '0' } });
  await makePost(world);
  const before = world.headCommit();
  let refused = 0;
  for (const route of world.app.http.routes.filter(isOfApi)) {
    const verb = route.method.toUpperCase();
    const body = route.body ? {} : undefined;
    const reply = await world.admin.request(verb, `${toAddress(route.path)}?zq=1`, body);
    assert.ok([400, 401, 403, 404].includes(reply.status), `${verb} ${route.path}: ${reply.status} ${reply.text}`);
    if (reply.json?.details?.[0]?.path === 'zq') refused++;
    else assert.is.not(reply.status, 400, `${verb} ${route.path}: ${reply.text}`);
  }
  assert.ok(refused > 100, String(refused));
  assert.is(world.headCommit(), before);
  assert.is((await world.admin.get('/api/auth/me')).json.user.role, 'admin', 'the session has not ended');
});

test('the refusal names the nearest parameter, also by the name that other services have for it', async () => {
  await using world = await makeWorld();
  await makePost(world);
  for (const [query, meant] of [
    ['statuss=published', 'status'],
    ['page=2', 'offset'],
    ['sort=title', 'orderBy'],
    ['populate=author', 'include'],
    ['filters[title][eq]=x', 'filter[...]'],
    ['orderby=title', 'orderBy'],
  ]) {
    const error = await refusalOf(world, `/api/cms/posts?${query}`);
    assert.match(error ?? '', `did you mean "${meant}"?`, query);
    assert.match((await refusalOf(world, `/api/content/posts?${query}`)) ?? '', `"${meant}"`);
  }
  assert.match((await refusalOf(world, '/api/cms/posts/plan?filter[title]=x')) ?? '', /known here: include, site/);
  const { json } = await world.admin.get('/api/search?q=plan&colection=posts&lim=1');
  assert.equal(
    json.details.map(({ path }: { path: string }) => path),
    ['colection', 'lim'],
  );
});

test('a list that is answered in front of koa refuses them too', async () => {
  await using world = await makeWorld();
  await makePost(world);
  const headers = { 'accept-encoding': 'identity' };
  const plain = { ...(world.admin.headers as Record<string, string>) };
  const statusOf = async (query: string, more: Record<string, string> = {}) =>
    (await get(world, `/api/cms/posts?limit=5&${query}`, { ...plain, ...more })).status;
  for (const more of [{}, headers]) {
    assert.is(await statusOf('order=asc', more), 200);
    assert.is(await statusOf('statuss=published', more), 400);
    assert.is(await statusOf('locale=dee', more), 400);
    assert.is(await statusOf('_=1&utm_source=a', more), 200);
  }
});

test('names that begin with _ or utm_ pass, and come twice', async () => {
  await using world = await makeWorld();
  await makePost(world);
  for (const path of ['/api/cms/posts', '/api/cms/posts/plan', '/api/schema', '/api/admin/profile']) {
    assert.is((await world.admin.get(`${path}?_=1&_=2&utm_source=a&utm_source=b&site=default`)).status, 200, path);
  }
});

test('a file is not served in another size than the one that was asked for', async () => {
  await using world = await makeWorld();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
  const form = new FormData();
  form.set('file', new Blob([svg], { type: 'image/svg+xml' }), 'dot.svg');
  const sent = new Request('http://localhost/', { method: 'POST', body: form });
  const headers = { 'content-type': sent.headers.get('content-type')! };
  const upload = await world.admin.request('POST', '/api/upload', Buffer.from(await sent.arrayBuffer()), headers);
  assert.ok(upload.status < 300, upload.text);
  const { url } = upload.json;
  assert.is((await world.anonymous.get(url)).status, 200);
  const refused = await world.anonymous.get(`${url}?width=800`);
  assert.is(refused.status, 400);
  assert.match(refused.json.error, 'did you mean "w"?');
  assert.is((await world.anonymous.get('/uploads/none.svg?width=800')).status, 404);
});

test('credentials, permission, site and document are looked at first', async () => {
  await using world = await makeWorld();
  await makePost(world);
  assert.is((await world.anonymous.get('/api/cms/posts?statuss=a')).status, 401);
  const media = await world.token(['media:read']);
  assert.is((await media.get('/api/cms/posts?statuss=a')).status, 403);
  for (const path of ['/api/cms/posts?site=nope', '/api/cms/nothing?', '/api/cms/posts/nothing?']) {
    assert.is((await world.admin.get(`${path}&statuss=a`)).status, 404, path);
  }
  assert.is((await world.admin.patch('/api/cms/posts/nothing?dryrun=true', { data: {} })).status, 404);
  assert.is((await world.admin.delete('/api/cms/posts/nothing?ifunreferenced=true')).status, 404);
  assert.is((await world.admin.delete('/api/cms/posts/plan?ifunreferenced=true')).status, 400);
  assert.is((await world.admin.get('/api/cms/posts/plan')).status, 200);
});

test('the names of a route are those of its query; a query that hides them stops the start', () => {
  const Query = z.object({ limit: z.string(), site: z.string() });
  assert.equal(knownNames({ path: '/api/a', query: Query }), ['limit', 'site']);
  assert.equal(knownNames({ path: '/api/a', query: Query.refine(() => true) }), ['limit', 'site']);
  assert.equal(knownNames({ path: '/api/a' }), ['site']);
  assert.is(knownNames({ path: '/admin/{path}' }), undefined);
  assert.is(knownNames({ path: '/api/a', query: z.record(z.string(), z.string()) }), undefined);
  assert.throws(() => knownNames({ path: '/api/a', query: Query.transform((query) => query) }));
  checkNames(parseQuery('limit=1'), ['limit']);
  assert.throws(() => checkNames(parseQuery('filter[a]=1'), ['limit']));
});

test.run();
