// No answer reports a change that the next request does not see: a decision that rests on a change on its way to the
// disk is answered once that change is durable, and made anew if it never is.
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HeldWal, holdWal } from '../support/held-wal.ts';
import { upload } from '../support/upload.ts';
import { type Client, makeWorld, type Reply, type World } from '../support/world.ts';

type Ask = (client: Client) => Promise<Reply>;

interface Case {
  /** Makes what exists before. */
  before?: Ask[];
  first: Ask;
  /** Decided on what the first request left. */
  second: Ask;
  status: number;
  /** Whether the next request sees what `second` was answered. */
  isSeen(client: Client, answer: Reply): Promise<boolean>;
  /** The answer to `second` if the change of the first request did not fit on the disk. */
  without: number;
}

const create =
  (body: object, headers = {}): Ask =>
  (client) =>
    client.post('/api/cms/posts', body, headers);
const patch =
  (body: object, headers = {}): Ask =>
  (client) =>
    client.patch('/api/cms/posts/a', body, headers);
const lockField =
  (operation: 'lock' | 'unlock'): Ask =>
  (client) =>
    client.put(`/api/content/posts/a/_fieldMeta/title/${operation}`, operation === 'lock' ? {} : undefined);
const A = { slug: 'a', data: { title: 'T' } };
const KEY = { 'idempotency-key': 'k1' };

const statusOf = async (client: Client, path: string): Promise<number> => (await client.get(path)).status;
const lockOf = async (client: Client): Promise<unknown> =>
  (await client.get('/api/content/posts/a/_fieldMeta')).json.title?.lockedBy;

const CASES: Record<string, Case> = {
  'a slug that is taken (409)': {
    first: create(A),
    second: create(A),
    status: 409,
    isSeen: async (client) => (await statusOf(client, '/api/cms/posts/a')) === 200,
    without: 200,
  },
  'If-None-Match on what is there (412)': {
    first: create(A),
    second: create(A, { 'if-none-match': '*' }),
    status: 412,
    isSeen: async (client, { headers }) => (await client.get('/api/cms/posts/a')).headers.etag === headers.etag,
    without: 200,
  },
  'If-Match on what has changed (412)': {
    before: [create(A)],
    first: patch({ data: { rank: 1 } }),
    second: patch({ data: { rank: 2 } }, { 'if-match': '"x"' }),
    status: 412,
    isSeen: async (client, { headers }) => (await client.get('/api/cms/posts/a')).headers.etag === headers.etag,
    without: 412,
  },
  'a document that is deleted (404)': {
    before: [create(A)],
    first: (client) => client.delete('/api/cms/posts/a'),
    second: patch({ data: { rank: 1 } }),
    status: 404,
    isSeen: async (client) => (await statusOf(client, '/api/cms/posts/a')) === 404,
    without: 200,
  },
  'the source of a translation that is renamed (400)': {
    before: [create(A)],
    first: patch({ slug: 'b' }),
    second: create({ slug: 'c', locale: 'de', translationOf: 'a', data: {} }),
    status: 400,
    isSeen: async (client) => (await statusOf(client, '/api/cms/posts/a')) === 404,
    without: 200,
  },
  'a lock that is there (200)': {
    before: [create(A)],
    first: lockField('lock'),
    second: lockField('lock'),
    status: 200,
    isSeen: async (client) => (await lockOf(client)) === 'user',
    without: 200,
  },
  'an unlock of what is unlocked (200)': {
    before: [create(A), lockField('lock')],
    first: lockField('unlock'),
    second: lockField('unlock'),
    status: 200,
    isSeen: async (client) => (await lockOf(client)) === undefined,
    without: 200,
  },
  'a required field that is gone (400)': {
    before: [create(A)],
    first: patch({ data: { title: null } }),
    second: patch({ status: 'published' }),
    status: 400,
    isSeen: async (client) => (await client.get('/api/cms/posts/a')).json.data.title === null,
    without: 200,
  },
  'an Idempotency-Key with another body (422)': {
    first: create(A, KEY),
    second: create({ slug: 'b', data: {} }, KEY),
    status: 422,
    isSeen: async (client) => (await statusOf(client, '/api/cms/posts/a')) === 200,
    without: 200,
  },
  'the same bytes again (200)': {
    first: (client) => upload(client, 'a.txt', Buffer.from('text'), { folder: 'docs' }),
    second: (client) => upload(client, 'b.txt', Buffer.from('text'), { folder: 'docs' }),
    status: 200,
    isSeen: async (client, { json }) => (await statusOf(client, json.url)) === 200,
    without: 200,
  },
  'a description that is there (200)': {
    before: [(client) => upload(client, 'a.txt', Buffer.from('text'), { folder: 'docs' })],
    first: (client) => client.patch('/api/media/docs/a.txt', { alt: 'A' }),
    second: (client) => client.patch('/api/media/docs/a.txt', { alt: 'A' }),
    status: 200,
    isSeen: async (client) => (await client.get('/api/media')).json.files[0].alt === 'A',
    without: 200,
  },
  'a file that is deleted (404)': {
    before: [(client) => upload(client, 'a.txt', Buffer.from('text'), { folder: 'docs' })],
    first: (client) => client.delete('/api/media/docs/a.txt'),
    second: (client) => client.patch('/api/media/docs/a.txt', { alt: 'A' }),
    status: 404,
    isSeen: async (client) => (await client.get('/api/media')).json.total === 0,
    without: 200,
  },
};

/** Long enough for an answer that waits for nothing to arrive. */
const AT_ONCE_MS = 150;

/** Both requests are under way while the disk is held; `isEarly`: `second` was answered meanwhile. */
async function begin({ admin }: World, { first, second }: Case, { held }: HeldWal) {
  const one = first(admin);
  await held();
  const two = second(admin);
  const isEarly = await Promise.race([two.then(() => true), delay(AT_ONCE_MS, false)]);
  return { first: one, second: two, isEarly };
}

for (const [name, one] of Object.entries(CASES)) {
  test(`${name} is answered once the next request sees why`, async () => {
    await using world = await makeWorld();
    for (const ask of one.before ?? []) assert.is((await ask(world.admin)).status, 200);
    using wal = holdWal(world.dataDir);
    const { first, second, isEarly } = await begin(world, one, wal);
    assert.is(isEarly, false, 'answered before it was durable');
    wal.release();
    const answer = await second;
    assert.is(answer.status, one.status, answer.text);
    assert.ok(await one.isSeen(world.admin, answer), 'the next request does not see it');
    assert.is((await first).status, 200);
  });

  test(`${name} is decided anew if the disk was full for the change it was decided on`, async () => {
    await using world = await makeWorld();
    for (const ask of one.before ?? []) assert.is((await ask(world.admin)).status, 200);
    const etag = (await world.admin.get('/api/cms/posts/a')).headers.etag;
    using wal = holdWal(world.dataDir);
    const { first, second } = await begin(world, one, wal);
    wal.release('full');
    assert.is((await first).status, 507);
    const answer = await second;
    assert.is(answer.status, one.without, answer.text);
    if (one.without === 412) assert.is(answer.headers.etag, etag);
  });
}

test('a decision on other documents does not wait for the disk', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  await admin.post('/api/cms/posts', A);
  using wal = holdWal(world.dataDir);
  const under = admin.post('/api/cms/posts', { slug: 'b', data: {} });
  await wal.held();
  assert.is((await admin.post('/api/cms/posts', A)).status, 409);
  assert.is((await admin.patch('/api/cms/posts/a', {}, { 'if-match': '"x"' })).status, 412);
  assert.is((await admin.patch('/api/cms/posts/none', {})).status, 404);
  assert.is((await admin.put('/api/content/posts/a/_fieldMeta/title/unlock')).status, 200);
  wal.release();
  assert.is((await under).status, 200);
});

test('the refused one of two creations of a slug, or of a change and a stale one, gets an answer that matches what can be read', async () => {
  await using world = await makeWorld({ now: 'real' });
  const { admin } = world;
  for (let i = 0; i < 60; i++) {
    const path = `/api/cms/posts/p${i}`;
    const creations = [1, 2].map(async () => {
      const { status } = await admin.post('/api/cms/posts', { slug: `p${i}`, data: {} });
      return status === 409 ? (await admin.get(path)).status : 200;
    });
    assert.equal(await Promise.all(creations), [200, 200], `creation ${i}`);
    const tag = { 'if-match': String((await admin.get(path)).headers.etag) };
    const changes = [1, 2].map(async (rank) => {
      const { status, headers } = await admin.patch(path, { data: { rank } }, tag);
      return status !== 412 || (await admin.get(path)).headers.etag === headers.etag;
    });
    assert.equal(await Promise.all(changes), [true, true], `change ${i}`);
  }
});

test.run();
