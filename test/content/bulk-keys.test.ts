// Idempotency-Key on bulk requests: the same answers, and no commit twice.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type World } from '../support/world.ts';

const PATH = '/api/cms/posts/bulk';
const OPERATIONS = [
  { op: 'create', data: { title: 'New' } },
  { op: 'create', slug: 'new', data: { title: 'Taken' } },
  { op: 'update', id: 'old', data: { rank: 2 } },
  { op: 'update', id: 'old', data: { rank: 3 } },
  { op: 'delete', id: 'gone' },
];

async function makeOld(): Promise<World> {
  const world = await makeWorld();
  for (const slug of ['old', 'gone']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  return world;
}

for (const atomic of [true, false]) {
  test(`a bulk request that is sent again gets the first answer, ${atomic ? 'atomic' : 'one by one'}`, async () => {
    await using world = await makeOld();
    const operations = OPERATIONS.filter(({ slug }) => !atomic || slug === undefined);
    const send = (body: object = { operations, atomic }) => world.admin.post(PATH, body, { 'idempotency-key': 'k' });
    const { result: first, events } = await world.appended(() => send());
    assert.is(first.status, 200, first.text);
    assert.is(events.length, atomic ? 1 : 4);
    assert.is(first.headers['idempotent-replayed'], undefined);
    await world.admin.patch('/api/cms/posts/old', { data: { rank: 9 } });
    for (const when of ['at once', 'after a restart']) {
      if (when !== 'at once') await world.restart();
      const again = await world.appended(() => send());
      assert.is(again.result.text, first.text, when);
      assert.equal(again.events, [], when);
      assert.is(again.result.headers['idempotent-replayed'], 'true', when);
      assert.is(again.result.headers['x-cms-commit'], first.headers['x-cms-commit'], when);
      const other = await send({ operations: operations.slice(0, 1), atomic: !atomic });
      assert.equal([other.status, other.json.code], [422, 'idempotency_mismatch'], when);
    }
    const twice = { operations: [{ op: 'create', data: { title: 'Twice' } }], atomic };
    const both = await world.appended(() =>
      Promise.all([0, 1].map(() => world.admin.post(PATH, twice, { 'idempotency-key': 'b' }))),
    );
    assert.is(both.events.length, 1);
    assert.ok(both.result.some(({ status }) => status === 200));
  });
}

test('what a crash interrupted goes on with the same key', async () => {
  await using world = await makeOld();
  const { content } = world.site();
  const actor = { kind: 'user' as const, name: 'Ada', email: 'ada@example.com' };
  const idempotency = { scope: 's', bodyDigest: 'd' };
  const request = {
    operations: OPERATIONS as never[],
    actor,
    mayPublish: true,
    matches: () => true,
    restorable: () => Promise.reject(new Error('nothing is restored')),
    idempotency,
  };
  // The first two operations, as a process left them that ended then.
  await content.create('posts', { data: { title: 'New' } }, actor, {
    idempotency: { scope: 's\n0', bodyDigest: 'd' },
  });
  const { result, events } = await world.appended(() => content.bulk('posts', request, false));
  assert.equal(
    result.answers.map(({ status }) => status),
    [200, 409, 200, 200, 200],
  );
  assert.is(events.length, 3, 'the document that is there is not created again');
  assert.is(result.replayed, undefined);
  const again = await world.appended(() => content.bulk('posts', request, false));
  assert.is(again.result.replayed, true);
  assert.equal(again.events, []);
});

test.run();
