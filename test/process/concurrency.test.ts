// Many clients use one thing at once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gitLog } from '../support/git.ts';
import { ADMIN, eventually, makePlace, setUp } from '../support/process.ts';

test('fifty clients that change fifty keys of one document at once all find their key in it', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  await client.post('/api/cms/posts', { slug: 'one', data: { title: 'One' } });
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        service.client(cookie).patch('/api/cms/posts/one', { data: { [`key${n}`]: `${round} of ${n}` } }),
      ),
    );
    assert.equal(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.is(new Set(replies.map(({ headers }) => headers['x-cms-commit'])).size, 50);
    // Each answer is the state after its own change, so no two of them are the same moment.
    assert.is(new Set(replies.map(({ json }) => json.updatedAt)).size, 50);
    const { json } = await client.get('/api/cms/posts/one');
    for (let n = 0; n < 50; n++) assert.is(json.data[`key${n}`], `${round} of ${n}`);
  }
  await eventually(async () => assert.is((await gitLog(place.repository)).length, 151), 10_000);
});

test('if fifty clients create the same slug at once, one succeeds', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => service.client(cookie).post('/api/cms/posts', { slug: 'mine', data: {} })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  assert.equal(statuses, [200, ...Array(49).fill(409)]);
  assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 1);
  await eventually(async () => assert.is((await gitLog(place.repository)).length, 1), 10_000);
});

test('only one of fifty writes with the same If-Match is accepted', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const created = await service.client(cookie).post('/api/cms/posts', { slug: 'one', data: {} });
  const headers = { 'if-match': String(created.headers.etag) };
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => service.client(cookie).patch('/api/cms/posts/one', { data: { n } }, headers)),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, ...Array(49).fill(412)]);
});

test('twenty set-ups at once make one admin, and that one can sign in', async () => {
  await using place = makePlace();
  const service = await place.start();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      service.client().post('/api/auth/setup', { ...ADMIN, email: `ada${n}@example.org` }),
    ),
  );
  const made = replies.filter(({ status }) => status === 200);
  assert.is(made.length, 1);
  assert.is(replies.filter(({ status }) => status === 403).length, 19);
  assert.is(replies.filter(({ cookie }) => cookie).length, 1);
  const client = service.client(made[0]!.cookie);
  const users = await client.get('/api/admin/users');
  assert.is(users.json.users.length, 1);
  const { email } = made[0]!.json;
  assert.is((await service.client().post('/api/auth/login', { email, password: ADMIN.password })).status, 200);
});

test.run();
