// Previews over HTTP: the holder of a token reads one document, for as long as its maker may.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, CONFIG, makeWorld, type World } from '../../support/world.ts';

const FRONT = 'https://preview.example.com';

async function makeDraft(template = `${FRONT}/{locale}/{collection}/{slug}?p={token}`): Promise<World> {
  const world = await makeWorld();
  await world.admin.post('/api/admin/site-config', { previewSiteUrl: template });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Saved', rank: 1 } });
  return world;
}

const make = async (client: Client, body?: object) => (await client.post('/api/cms/posts/a/preview', body)).json;
const show = (world: World, token: string, headers = {}) => world.anonymous.get(`/api/preview/${token}`, headers);

test('a token shows a draft to a stranger, without a trace in caches, and changes nothing', async () => {
  await using world = await makeDraft();
  const { result, events } = await world.appended(() => make(world.admin));
  assert.equal(events, []);
  assert.equal(Object.keys(result), ['url', 'shownBy', 'token', 'expiresAt']);
  assert.is(result.shownBy, 'site');
  assert.is(result.url, `${FRONT}/en/posts/a?p=${result.token}`);
  assert.is(Date.parse(result.expiresAt) - Date.parse('2026-01-02T03:04:05.678Z'), 3_600_000);
  const shown = await show(world, result.token);
  assert.is(shown.status, 200);
  assert.equal(shown.json, (await world.admin.get('/api/cms/posts/a')).json);
  assert.is(shown.headers['cache-control'], 'no-store');
  assert.is((await world.anonymous.get('/api/cms/posts/a')).status, 401);
});

test('what is not saved is checked as a draft is, shown in place of what is saved, and replaced by PUT', async () => {
  await using world = await makeDraft();
  const { token } = await make(world.admin, { data: { title: 'Typed' } });
  assert.equal((await show(world, token)).json.data, { title: 'Typed', rank: 1 });
  const bad = await world.admin.post('/api/cms/posts/a/preview', { data: { rank: 'x' } });
  assert.equal([bad.status, bad.json.details[0].path], [400, 'data.rank']);
  const put = await world.admin.put(`/api/preview/${token}`, { data: { title: '', rank: 2 } });
  assert.equal([put.status, put.json.token], [200, token]);
  assert.equal((await show(world, token)).json.data, { title: '', rank: 2 });
  assert.is((await world.admin.put(`/api/preview/${token}`, { data: { rank: 'x' } })).status, 400);
  assert.is((await world.admin.put(`/api/preview/${token}`, {})).status, 400);
  assert.equal((await show(world, token)).json.data, { title: '', rank: 2 }, 'a refused replacement changes nothing');
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.title, 'Saved');
});

test('a token may be replaced by its maker, and by who may write everything; readers make none', async () => {
  await using world = await makeDraft();
  const [ada, eve] = [await world.user('author'), await world.user('author')];
  const viewer = await world.user('viewer');
  const { token } = await make(ada, { data: { title: 'Ada' } });
  const replace = (client: Client) => client.put(`/api/preview/${token}`, { data: { title: 'New' } });
  assert.is((await replace(ada)).status, 200);
  assert.is((await replace(await world.user('editor'))).status, 200);
  assert.is((await replace(eve)).status, 403);
  assert.is((await replace(viewer)).status, 403);
  assert.is((await replace(world.anonymous)).status, 401);
  assert.is((await viewer.post('/api/cms/posts/a/preview')).status, 403);
  assert.is((await world.admin.post('/api/cms/posts/none/preview')).status, 404);
  assert.is((await world.admin.post('/api/cms/none/a/preview')).status, 404);
});

test('a token ends with its hour, its document and its maker, and no other text is one', async () => {
  await using world = await makeDraft();
  const { token } = await make(world.admin);
  for (const other of ['x', `${token}x`, token.replace(/^./, 'X'), token.split('.')[0]!, '%00', 'a.'.repeat(9)]) {
    assert.is((await show(world, other)).status, 404, other);
    assert.is((await world.admin.put(`/api/preview/${other}`, { data: {} })).status, 404, other);
  }
  const ada = await world.user('author');
  const hers = (await make(ada)).token;
  const { users } = (await world.admin.get('/api/admin/users')).json;
  const { id } = users.find(({ role }: { role: string }) => role === 'author');
  assert.is((await world.admin.patch(`/api/admin/users/${id}`, { suspended: true })).status, 200);
  assert.is((await show(world, hers)).status, 404);
  const late = (await make(world.admin)).token;
  world.advance(3_599_000);
  assert.is((await show(world, late)).status, 200);
  world.advance(1_000);
  assert.is((await show(world, late)).status, 404);
  const gone = (await make(world.admin)).token;
  await world.admin.delete('/api/cms/posts/a');
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Another' } });
  assert.is((await show(world, gone)).status, 404, 'another document of that name is not shown');
});

test('after a restart a token shows what is saved, and never that in place of what was not', async () => {
  await using world = await makeDraft();
  const saved = (await make(world.admin)).token;
  const typed = (await make(world.admin, { data: { title: 'Typed' } })).token;
  await world.restart();
  assert.is((await show(world, saved)).json.data.title, 'Saved');
  assert.is((await show(world, typed)).status, 404);
  await world.admin.put(`/api/preview/${typed}`, { data: { title: 'Again' } });
  assert.is((await show(world, typed)).json.data.title, 'Again');
});

test('what was typed and had to make room is gone, also of a token that was made for what is saved', async () => {
  await using world = await makeDraft();
  const { token } = await make(world.admin);
  const replaced = await world.admin.put(`/api/preview/${token}`, { data: { title: 'Typed' } });
  assert.is(replaced.status, 200);
  for (let n = 0; n < 20; n++) await make(world.admin, { data: { title: `Other ${n}` } });
  assert.is((await show(world, token)).status, 404);
  await world.admin.put(`/api/preview/${token}`, { data: { title: 'Typed again' } });
  assert.is((await show(world, token)).json.data.title, 'Typed again');
});

test('pages of previewSiteUrl’s origin read previews, and no others do', async () => {
  await using world = await makeDraft();
  const { token } = await make(world.admin);
  const ours = await show(world, token, { origin: FRONT });
  assert.is(ours.headers['access-control-allow-origin'], FRONT);
  assert.match(ours.headers.vary ?? '', /origin/i);
  assert.is(
    (await show(world, token, { origin: 'https://evil.example' })).headers['access-control-allow-origin'],
    undefined,
  );
  const preflight = await world.anonymous.request('OPTIONS', `/api/preview/${token}`, undefined, {
    origin: FRONT,
    'access-control-request-method': 'GET',
  });
  assert.is(preflight.headers['access-control-allow-methods'], 'GET, HEAD');
});

test('without placeholders the page’s own path follows previewSiteUrl; others than the four are refused', async () => {
  await using world = await makeDraft(`${FRONT}/site/?x=1`);
  const { url, token } = await make(world.admin);
  assert.is(url, `${FRONT}/site/blog/a/?x=1&preview=${token}`);
  for (const previewSiteUrl of [`${FRONT}/{id}`, 'https://{locale}.example.com/', `${FRONT}/{`]) {
    const { status, json } = await world.admin.post('/api/admin/site-config', { previewSiteUrl });
    assert.equal([status, json.details?.[0].path], [400, 'previewSiteUrl'], previewSiteUrl);
  }
  await world.admin.post('/api/admin/site-config', { previewSiteUrl: null });
  const own = await make(world.admin);
  assert.is(own.url, `${world.url}/preview/${own.token}`);
  await world.admin.post('/api/admin/site-config', { previewSiteUrl: `${FRONT}/{slug}` });
  const made = await make(world.admin);
  assert.is(made.url, `${FRONT}/a?preview=${made.token}`);
});

test('a token of one site shows nothing of another', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  await world.admin.post('/api/cms/posts?site=other', { slug: 'a', data: { title: 'Other' } });
  const { token } = (await world.admin.post('/api/cms/posts/a/preview?site=other')).json;
  assert.is((await show(world, token)).json.data.title, 'Other');
  assert.is((await world.anonymous.get(`/api/preview/${token}?site=default`)).json.data.title, 'Other');
});

test('a preview brings what its relations name, also drafts, from what is typed', async () => {
  await using world = await makeWorld({
    config: {
      collections: [
        { name: 'posts', fields: [{ name: 'author', type: 'relation', collection: 'people' }] },
        { name: 'people', fields: [{ name: 'friend', type: 'relation', collection: 'people' }] },
      ],
    },
  });
  await world.admin.post('/api/cms/people', { slug: 'ines', data: { friend: 'zoe' } });
  await world.admin.post('/api/cms/people', { slug: 'zoe', data: {} });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { author: 'ines' } });
  const keys = async (token: string, include: string) =>
    Object.keys((await world.anonymous.get(`/api/preview/${token}?include=${include}`)).json.included);
  const { token } = await make(world.admin);
  assert.equal(await keys(token, 'author'), ['people/ines']);
  assert.equal(await keys(token, 'author.friend'), ['people/ines', 'people/zoe']);
  const typed = await make(world.admin, { data: { author: 'zoe' } });
  assert.equal(await keys(typed.token, 'author'), ['people/zoe']);
  assert.is((await world.anonymous.get(`/api/preview/${token}?include=title`)).status, 400);
  assert.is((await world.anonymous.get(`/api/preview/${token}`)).json.included, undefined);
});

test.run();
