// The inbox under kill -9 and on a full disk: an answered status stays, and deleted submissions do not come back.
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Submission } from '../../src/forms/submission.ts';
import type { Client } from '../support/client.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { createRandom, type Random } from '../support/random.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const CLIENTS = 4;
const EACH = 20;
const ROUNDS = 3;
const CONFIG = {
  collections: [],
  forms: [{ name: 'contact', fields: [{ name: 'n', type: 'text' }], spam: { rateLimit: 1_000_000 } }],
};
const LIST = '/api/admin/forms/contact/submissions';
const STATUSES = ['new', 'read', 'archived'];

/** For one submission: its last answered status, and others that it may have because an answer never came. */
interface Known {
  status: string;
  tried?: string;
}

/** Changes its submissions until the service is gone. */
async function burst(client: Client, random: Random, known: Map<string, Known>, count: () => void): Promise<void> {
  for (;;) {
    const ids = [...known.keys()].filter((id) => known.get(id)!.status !== 'gone');
    const id = ids[random.whole(0, ids.length - 1)]!;
    const before = known.get(id)!;
    // The last one stays, so that there is something to change until the kill.
    const wanted = ids.length > 1 && random.next() < 0.1 ? 'gone' : STATUSES[random.whole(0, 2)]!;
    known.set(id, { status: before.status, tried: wanted });
    const path = `${LIST}/${id}`;
    const sent = wanted === 'gone' ? client.send('DELETE', path) : client.patch(path, { status: wanted });
    const reply = await sent.catch(() => undefined);
    if (!reply) return;
    assert.is(reply.status, 200, reply.text);
    known.set(id, { status: wanted });
    count();
  }
}

test(`every answered change of the inbox holds after each of ${ROUNDS} kills`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace({ config: CONFIG });
  let service = await place.start();
  const cookie = await setUp(service);
  for (let round = 0; round < ROUNDS; round++) {
    const owned = Array.from({ length: CLIENTS }, () => new Map<string, Known>());
    const visitor = service.client();
    for (const known of owned) {
      for (let i = 0; i < EACH; i++) {
        known.set((await visitor.post('/api/forms/contact', { n: `${i}` })).json.id, { status: 'new' });
      }
    }
    let answered = 0;
    const clients = owned.map(() => service.client(cookie));
    const bursts = owned.map((known, i) => burst(clients[i]!, random, known, () => answered++));
    await eventually(() => assert.ok(answered > CLIENTS * 5), 30_000);
    await later(random.whole(0, 50));
    await service.kill();
    await Promise.all(bursts);
    for (const client of [...clients, visitor]) client.close();

    service = await place.start();
    const { json } = await service.client(cookie).get(`${LIST}?limit=500`);
    const found = new Map<string, string>(json.submissions.map(({ id, status }: Submission) => [id, status]));
    for (const [id, { status, tried = status }] of owned.flatMap((known) => [...known])) {
      const now = found.get(id) ?? 'gone';
      assert.ok(now === status || now === tried, `${id} is ${now}, was answered ${status}, and ${tried} was requested`);
    }
    const { unread, total } = (await service.client(cookie).get('/api/admin/forms')).json.forms[0];
    assert.equal([total, unread], [found.size, [...found.values()].filter((status) => status === 'new').length]);
    for (const id of found.keys()) await service.client(cookie).send('DELETE', `${LIST}/${id}`);
  }
  assert.is((await service.stop()).code, 0);
});

test('on a full disk the inbox is read and exported, changes are refused, and none is half made', async () => {
  using disk = mountSmallDisk(40);
  await using place = makePlace({ config: CONFIG, dataDir: disk.folder });
  const service = await place.start();
  const client = service.client(await setUp(service));
  const { id } = (await client.post('/api/forms/contact', { n: 'x'.repeat(20_000) })).json;
  disk.fill();
  const refused = await client.patch(`${LIST}/${id}`, { status: 'read' });
  assert.equal([refused.status, refused.json.code], [507, 'storage_full']);
  const { json } = await client.get(`${LIST}/${id}`);
  assert.equal([json.status, json.readAt, json.data.n.length], ['new', undefined, 20_000]);
  assert.is((await client.get('/api/admin/forms')).json.unread, 1);
  assert.is((await client.get('/api/admin/forms/contact/export')).text.split('\r\n').length, 3);
  disk.free();
  assert.is((await client.patch(`${LIST}/${id}`, { status: 'read' })).status, 200);
  assert.is((await client.get('/api/admin/forms')).json.unread, 0);
});

test.run();
