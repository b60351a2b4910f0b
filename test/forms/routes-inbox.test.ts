// The inbox over HTTP: who may read and change it, its lists, and the export.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import type { Submission } from '../../src/forms/submission.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [],
  forms: [
    {
      name: 'contact',
      label: 'Contact',
      fields: [
        { name: 'name', type: 'text', required: true },
        { name: 'age', type: 'number' },
        { name: 'terms', type: 'checkbox' },
      ],
    },
    { name: 'empty', fields: [{ name: 'email', type: 'email' }] },
  ],
};

const makeInbox = (options: WorldOptions = {}): Promise<World> => makeWorld({ config: CONFIG, ...options });

/** Stores submissions directly, a second apart, without the limit of an address. */
async function store(world: World, form: string, ...sent: Submission['data'][]): Promise<string[]> {
  const ids: string[] = [];
  for (const data of sent) {
    world.advance(1000);
    const { id } = await world.site().forms.submissions.add(form, { data, ipHash: '0a1b2c3d', userAgent: 'test' });
    ids.push(id);
  }
  return ids;
}

const LIST = '/api/admin/forms/contact/submissions';

test('the forms are listed in the order of the configuration, with the number of unread submissions', async () => {
  await using world = await makeInbox();
  const [first, second] = await store(world, 'contact', { name: 'Ada' }, { name: 'Bob' }, { name: 'Cy' });
  await world.admin.patch(`${LIST}/${first}`, { status: 'read' });
  await world.admin.patch(`${LIST}/${second}`, { status: 'archived' });
  const { status, json } = await world.admin.get('/api/admin/forms');
  assert.is(status, 200);
  const { lastAt } = json.forms[0];
  assert.is(lastAt, (await world.admin.get(LIST)).json.submissions[0].createdAt);
  assert.equal(json, {
    forms: [
      { name: 'contact', label: 'Contact', unread: 1, read: 1, archived: 1, total: 3, lastAt, configured: true },
      { name: 'empty', label: 'empty', unread: 0, read: 0, archived: 0, total: 0, configured: true },
    ],
    unread: 1,
  });
});

test('submissions are listed newest first, by status and page', async () => {
  await using world = await makeInbox();
  const ids = await store(world, 'contact', { name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' });
  await world.admin.patch(`${LIST}/${ids[1]}`, { status: 'read' });
  const names = async (query: string): Promise<[string, number]> => {
    const { json, headers } = await world.admin.get(LIST + query);
    assert.is(headers['x-total-count'], String(json.total));
    return [json.submissions.map(({ data }: Submission) => data.name).join(''), json.total];
  };
  assert.equal(await names(''), ['dcba', 4]);
  assert.equal(await names('?limit=2&offset=1'), ['cb', 4]);
  assert.equal(await names('?status=new'), ['dca', 3]);
  assert.equal(await names('?status=new&limit=1&offset=2'), ['a', 3]);
  assert.equal(await names('?status=archived'), ['', 0]);
  assert.equal(await names('?limit=100000'), ['dcba', 4]);
  assert.equal(await names('?limit=101&offset=1'), ['cba', 4]);
  assert.equal(await names('?offset=9'), ['', 4]);
  assert.equal(await names('?status=new&offset=1'), ['ca', 3]);
  for (const query of ['?status=all', '?status=', '?limit=0', '?limit=x', '?offset=-1', '?limit=']) {
    assert.is((await world.admin.get(LIST + query)).json.code, 'invalid_input', query);
  }
});

test('the submissions of all forms are one list, newest first, by status and page', async () => {
  await using world = await makeInbox();
  const [first] = await store(world, 'contact', { name: 'a' });
  await store(world, 'empty', { email: 'b' });
  await store(world, 'gone', { name: 'c' });
  await store(world, 'contact', { name: 'd' });
  await world.admin.patch(`${LIST}/${first}`, { status: 'read' });
  const names = async (query: string): Promise<[string, number]> => {
    const { json, headers } = await world.admin.get(`/api/admin/forms/submissions${query}`);
    assert.is(headers['x-total-count'], String(json.total));
    return [json.submissions.map(({ data }: Submission) => data.name ?? data.email).join(''), json.total];
  };
  assert.equal(await names(''), ['dcba', 4]);
  assert.equal(await names('?limit=2&offset=1'), ['cb', 4]);
  assert.equal(await names('?status=new'), ['dcb', 3]);
  assert.equal(await names('?status=read&limit=900'), ['a', 1]);
  assert.equal(await names('?status=archived'), ['', 0]);
  const { json } = await world.admin.get('/api/admin/forms/submissions');
  assert.equal(
    json.submissions.map(({ form }: Submission) => form),
    ['contact', 'gone', 'empty', 'contact'],
  );
  assert.is((await world.admin.get('/api/admin/forms/submissions?status=all')).json.code, 'invalid_input');
  assert.is((await world.anonymous.get('/api/admin/forms/submissions')).status, 401);
});

test('a submission is read, marked and deleted', async () => {
  await using world = await makeInbox();
  const [id] = await store(world, 'contact', { name: 'Ada', age: 36, terms: true });
  const { json: first } = await world.admin.get(`${LIST}/${id}`);
  assert.equal(first, {
    id,
    form: 'contact',
    data: { name: 'Ada', age: 36, terms: true },
    status: 'new',
    ipHash: '0a1b2c3d',
    userAgent: 'test',
    createdAt: '2026-01-02T03:04:06.678Z',
  });
  world.advance(5000);
  const read = await world.admin.patch(`${LIST}/${id}`, { status: 'read' });
  assert.is(read.status, 200);
  assert.equal(read.json, { ...first, status: 'read', readAt: '2026-01-02T03:04:11.678Z' });
  world.advance(5000);
  for (const status of ['archived', 'new', 'read']) {
    const { json } = await world.admin.patch(`${LIST}/${id}`, { status });
    assert.equal([json.status, json.readAt], [status, '2026-01-02T03:04:11.678Z']);
  }
  const gone = await world.admin.delete(`${LIST}/${id}`);
  assert.equal([gone.status, gone.json], [200, { success: true }]);
  assert.is((await world.admin.get(`${LIST}/${id}`)).status, 404);
  assert.is((await world.admin.delete(`${LIST}/${id}`)).status, 404);
  assert.is((await world.admin.patch(`${LIST}/${id}`, { status: 'read' })).status, 404);
});

test('reading does not mark as read', async () => {
  await using world = await makeInbox();
  const [id] = await store(world, 'contact', { name: 'Ada' });
  await world.admin.get(`${LIST}/${id}`);
  assert.is((await world.admin.get('/api/admin/forms')).json.unread, 1);
});

test('an unknown status is refused, and no other key is changed', async () => {
  await using world = await makeInbox();
  const [id] = await store(world, 'contact', { name: 'Ada' });
  for (const body of [{ status: 'done' }, {}, { status: null }, [], 'x']) {
    assert.is((await world.admin.patch(`${LIST}/${id}`, body)).status, 400, JSON.stringify(body));
  }
  await world.admin.patch(`${LIST}/${id}`, { status: 'read', data: { name: 'Eve' }, form: 'empty', id: 'x' });
  const { json } = await world.admin.get(`${LIST}/${id}`);
  assert.equal([json.status, json.data, json.form, json.id], ['read', { name: 'Ada' }, 'contact', id]);
});

test('forms:read may look, forms:write may change, and checks are in the order 401, 403, 404, 400', async () => {
  await using world = await makeInbox();
  const [id] = await store(world, 'contact', { name: 'Ada' });
  const reader = await world.token(['forms:read']);
  const writer = await world.token(['forms:write']);
  const other = await world.token(['content:read', 'content:write']);
  const viewer = await world.user('viewer');
  const editor = await world.user('editor');
  const read = ['/api/admin/forms', LIST, `${LIST}/${id}`, '/api/admin/forms/contact/export'];
  for (const path of [...read, `${LIST}/none`, `${LIST}?limit=0`, '/api/admin/forms/none/export']) {
    assert.is((await world.anonymous.get(path)).status, 401, path);
    for (const client of [other, viewer, writer]) assert.is((await client.get(path)).status, 403, path);
  }
  for (const path of read) for (const client of [reader, editor]) assert.is((await client.get(path)).status, 200, path);

  for (const path of [`${LIST}/${id}`, `${LIST}/none`, '/api/admin/forms/none/submissions/x']) {
    assert.is((await world.anonymous.patch(path, { status: 'x' })).status, 401);
    assert.is((await world.anonymous.delete(path)).status, 401);
    for (const client of [reader, viewer, other]) {
      assert.is((await client.patch(path, { status: 'x' })).status, 403);
      assert.is((await client.delete(path)).status, 403);
    }
  }
  assert.is((await writer.patch(`${LIST}/none`, { status: 'x' })).status, 404);
  assert.is((await writer.patch(`${LIST}/${id}`, { status: 'x' })).status, 400);
  assert.is((await reader.get('/api/admin/forms/none/submissions?limit=0')).status, 404);
  assert.is((await reader.get('/api/admin/forms/none/export?bom=x')).status, 404);
  assert.is((await reader.get('/api/admin/forms/contact/export?bom=x')).status, 400);
  assert.is((await writer.patch(`${LIST}/${id}`, { status: 'read' })).status, 200);
  assert.is((await editor.delete(`${LIST}/${id}`)).status, 200);
});

test('names and ids that point elsewhere are not found', async () => {
  await using world = await makeInbox();
  const [id] = await store(world, 'contact', { name: 'Ada' });
  for (const path of [
    `/api/admin/forms/empty/submissions/${id}`,
    `${LIST}/${id}.json`,
    `${LIST}/..%2f..%2fsite-config`,
    `${LIST}/%2e%2e`,
    `${LIST}/__proto__`,
    `${LIST}/${id}%00`,
    '/api/admin/forms/..%2fcontact/submissions',
    '/api/admin/forms/__proto__/submissions',
    '/api/admin/forms/Contact/submissions',
    '/api/admin/forms/constructor/export',
    `/api/admin/forms/${'x'.repeat(300)}/submissions`,
  ]) {
    assert.is((await world.admin.get(path)).status, 404, path);
  }
});

test('many submissions are marked or deleted at a time, and what is gone is named', async () => {
  await using world = await makeInbox();
  const [a, b, c] = await store(world, 'contact', { name: 'a' }, { name: 'b' }, { name: 'c' });
  const bulk = (body: object) => world.admin.post(`${LIST}/bulk`, body);
  const archived = await bulk({ ids: [a, b, a, 'gone', '../../x'], status: 'archived' });
  assert.equal([archived.status, archived.json], [200, { changed: [a, b], missing: ['gone', '../../x'] }]);
  assert.is((await world.admin.get(`${LIST}?status=archived`)).json.total, 2);
  assert.equal((await bulk({ ids: [b, c], status: 'deleted' })).json, { changed: [b, c], missing: [] });
  assert.is((await world.admin.get(LIST)).json.total, 1);
  for (const body of [
    { ids: [], status: 'read' },
    { ids: [a], status: 'gone' },
    { ids: Array(501).fill(a), status: 'read' },
  ]) {
    assert.is((await bulk(body)).status, 400);
  }
  assert.is(
    (await world.admin.post('/api/admin/forms/none/submissions/bulk', { ids: [a], status: 'read' })).status,
    404,
  );
  const reader = await world.token(['forms:read']);
  assert.is((await reader.post(`${LIST}/bulk`, { ids: [a], status: 'deleted' })).status, 403);
});

test('a form that the configuration no longer has keeps its inbox', async () => {
  await using world = await makeInbox();
  const [id] = await store(world, 'contact', { name: 'Ada' });
  const [{ createdAt: lastAt }] = (await world.admin.get(LIST)).json.submissions;
  await world.restart({ config: { ...CONFIG, forms: [CONFIG.forms![1]!] } });
  assert.equal((await world.admin.get('/api/admin/forms')).json, {
    forms: [
      { name: 'empty', label: 'empty', unread: 0, read: 0, archived: 0, total: 0, configured: true },
      { name: 'contact', label: 'contact', unread: 1, read: 0, archived: 0, total: 1, lastAt, configured: false },
    ],
    unread: 1,
  });
  assert.is((await world.admin.get(LIST)).json.total, 1);
  assert.match((await world.admin.get('/api/admin/forms/contact/export')).text, /^id,status,createdAt,readAt,name\r\n/);
  assert.is((await world.admin.patch(`${LIST}/${id}`, { status: 'read' })).status, 200);
  await world.admin.delete(`${LIST}/${id}`);
  assert.is(
    (await world.admin.get('/api/admin/forms')).json.forms.length,
    1,
    'the form disappears with its last submission',
  );
});

test('each site has its own inbox', async () => {
  await using world = await makeInbox({ sites: { other: CONFIG } });
  const { json } = await world.anonymous.post('/api/forms/contact?site=other', { name: 'Ada' });
  assert.is((await world.admin.get(`${LIST}?site=other`)).json.total, 1);
  assert.is((await world.admin.get(`${LIST}?site=default`)).json.total, 0);
  assert.is((await world.admin.get(`${LIST}/${json.id}?site=default`)).status, 404);
  const guest = await world.user('editor', ['default']);
  assert.is((await guest.get(`${LIST}?site=other`)).status, 403);
});

test('the export downloads all submissions, with the form’s fields and then those that it once had', async () => {
  await using world = await makeInbox();
  await store(world, 'contact', { name: 'Old', zip: '12345', company: 'A, "B" & C' }, { name: '=1+1', age: -5 });
  const { status, headers, text } = await world.admin.get('/api/admin/forms/contact/export');
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/csv; charset=utf-8; header=present');
  assert.is(headers['content-disposition'], 'attachment; filename="contact.csv"');
  assert.is(headers['cache-control'], 'no-store');
  assert.is(headers['x-content-type-options'], 'nosniff');
  const lines = text.split('\r\n').map((line) => line.replace(/^[0-9A-Z]{26},/, ''));
  assert.equal(lines, [
    'id,status,createdAt,readAt,name,age,terms,company,zip',
    "new,2026-01-02T03:04:07.678Z,,'=1+1,'-5,,,",
    'new,2026-01-02T03:04:06.678Z,,Old,,,"A, ""B"" & C",12345',
    '',
  ]);
  assert.is((await world.admin.get('/api/admin/forms/contact/export?status=read')).text.split('\r\n').length, 2);
  assert.ok((await world.admin.get('/api/admin/forms/contact/export?bom=true')).text.startsWith('\uFEFFid,'));
  assert.is((await world.admin.head('/api/admin/forms/contact/export')).status, 200);
});

test('the export of many submissions is streamed, and a client that leaves stops it', async () => {
  await using world = await makeInbox();
  const many = Array.from({ length: 300 }, (_, i) => ({ name: `name ${i}`.repeat(100) }));
  await store(world, 'contact', ...many);
  const controller = new AbortController();
  const headers = { cookie: String(world.admin.headers.cookie), 'accept-encoding': 'identity' };
  const url = `${world.url}/api/admin/forms/contact/export`;
  const answer = await fetch(url, { headers, signal: controller.signal });
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  assert.ok(value!.length < 200_000, 'the first piece is not the whole file');
  controller.abort();
  await reader.read().catch((error) => assert.is(error.name, 'AbortError'));
  const text = await (await fetch(url, { headers })).text();
  assert.is(text.split('\r\n').length, many.length + 2);
  assert.equal(
    world.logged.filter(({ level }) => Number(level) >= 50),
    [],
    'no error was logged',
  );
});

test.run();
