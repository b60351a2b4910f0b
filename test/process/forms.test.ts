// Forms under kill -9 and on a full disk: every answered submission is stored exactly once and notified, and nothing is
// half stored.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SubmissionRecord } from '../../src/forms/submission.ts';
import type { Client, Reply } from '../support/client.ts';
import { makeMailbox } from '../support/mailbox.ts';
import { eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { makeReceiver } from '../support/receiver.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const CLIENTS = 8;
const ROUNDS = 4;

const toConfig = (more: object = {}) => ({
  collections: [],
  forms: [{ name: 'contact', fields: [{ name: 'n', type: 'text', required: true }], ...more }],
});
const MANY = { spam: { rateLimit: 1_000_000 } };

const send = (client: Client, n: string): Promise<Reply> => client.post('/api/forms/contact', { n });

const folderOf = ({ dataDir }: Place): string => join(dataDir, 'sites/default/_data/submissions/contact');

/** Every submission on the disk, each of them whole: the count of each text. */
function readFolder(place: Place): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(folderOf(place))) {
    if (name.startsWith('.tmp-')) continue;
    const { id, data } = SubmissionRecord.parse(JSON.parse(readFileSync(join(folderOf(place), name), 'utf8')));
    assert.is(name, `${id}.json`);
    found.set(String(data.n), [...(found.get(String(data.n)) ?? []), id]);
  }
  return found;
}

/** Posts one after the other until the service is gone; returns the answered ones, by id. */
async function burst(client: Client, name: string, answered: Map<string, string>): Promise<void> {
  for (let i = 0; ; i++) {
    const reply = await send(client, `${name}-${i}`).catch(() => undefined);
    if (!reply) return;
    assert.is(reply.status, 200, reply.text);
    answered.set(`${name}-${i}`, reply.json.id);
  }
}

async function allow(service: Service, cookie: string): Promise<void> {
  const settings = { allowPrivateTargets: true };
  assert.is((await service.client(cookie).post('/api/admin/site-config', settings)).status, 200);
}

test(`every answered submission is there once, whole, after each of ${ROUNDS} kills`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace({ config: toConfig(MANY) });
  const answered = new Map<string, string>();
  let service = await place.start();
  const cookie = await setUp(service);
  for (let round = 0; round < ROUNDS; round++) {
    const before = answered.size;
    const clients = Array.from({ length: CLIENTS }, () => service.client());
    const bursts = clients.map((client, i) => burst(client, `${round}-${i}`, answered));
    await eventually(() => assert.ok(answered.size > before + CLIENTS), 30_000);
    await later(random.whole(0, 100));
    await service.kill();
    await Promise.all(bursts);
    for (const client of clients) client.close();

    const found = readFolder(place);
    service = await place.start();
    for (const [n, id] of answered) assert.equal(found.get(n), [id]);
    for (const ids of found.values()) assert.is(ids.length, 1);
    // A write that a kill cut off is removed by the next start.
    assert.equal(
      readdirSync(folderOf(place)).filter((name) => name.startsWith('.')),
      [],
    );
    const { json } = await service.client(cookie).get('/api/admin/forms/contact/submissions?limit=1');
    assert.is(json.total, found.size);
  }
  assert.is((await service.stop()).code, 0);
});

test('an answered submission is notified after a kill, whichever receiver was unavailable', async () => {
  await using receiver = await makeReceiver(() => 503);
  await using mailbox = await makeMailbox();
  mailbox.refused.set('owner@example.com', 451);
  const notifications = { email: ['owner@example.com'], webhook: receiver.url };
  await using place = makePlace({ config: toConfig({ ...MANY, notifications }) });
  const env = { SMTP_URL: mailbox.url };
  let service = await place.start(env);
  const cookie = await setUp(service);
  await allow(service, cookie);
  const answered = new Map<string, string>();
  const clients = Array.from({ length: 3 }, () => service.client());
  const bursts = clients.map((client, i) => burst(client, `${i}`, answered));
  await eventually(() => assert.ok(answered.size > 10), 30_000);
  await service.kill();
  await Promise.all(bursts);
  for (const client of clients) client.close();

  receiver.answer = () => 204;
  mailbox.refused.clear();
  receiver.received.length = 0;
  service = await place.start(env);
  await eventually(() => {
    const notified = new Set(receiver.received.map(({ json }) => json.id));
    const mailed = mailbox.mails.map(({ raw }) => raw).join('\n');
    for (const id of answered.values()) {
      assert.ok(notified.has(id));
      assert.ok(mailed.includes(id));
    }
  }, 60_000);
  assert.is((await service.stop()).code, 0);
});

test('a kill gives an address no new tries', async () => {
  await using place = makePlace({ config: toConfig({ spam: { rateLimit: 3 } }) });
  let service = await place.start();
  for (const n of ['1', '2']) assert.is((await send(service.client(), n)).status, 200);
  await service.kill();
  service = await place.start();
  const replies = await Promise.all(['3', '4', '5', '6'].map((n) => send(service.client(), n)));
  assert.equal(replies.map(({ status }) => status).sort(), [200, 429, 429, 429]);
  for (const { status, headers } of replies) if (status === 429) assert.ok(Number(headers['retry-after']) > 3000);
  assert.is(readFolder(place).size, 3);
});

test('a full disk refuses submissions, leaves nothing of them, and accepts them again when there is space', async () => {
  using disk = mountSmallDisk(40);
  await using receiver = await makeReceiver();
  const config = toConfig({ ...MANY, notifications: { webhook: receiver.url } });
  await using place = makePlace({ config, dataDir: disk.folder });
  const service = await place.start();
  const cookie = await setUp(service);
  await allow(service, cookie);
  const accepted = [String((await send(service.client(), 'first')).json.id)];
  await receiver.count(1);
  for (const leaveBytes of [0, 4096, 8192, 12_288, 16_384]) {
    disk.fill(leaveBytes);
    let status = 200;
    for (let i = 0; i < 40 && status === 200; i++) {
      const reply = await send(service.client(), `${leaveBytes}-${i}-${'x'.repeat(3000)}`);
      status = reply.status;
      if (status === 200) accepted.push(reply.json.id);
      else assert.is(reply.json.code, 'storage_full', reply.text);
    }
    assert.is(status, 507);
    assert.equal([...readFolder(place).values()].flat().sort(), accepted.toSorted());
    assert.equal(
      readdirSync(folderOf(place)).filter((name) => name.startsWith('.')),
      [],
    );
    disk.free();
  }
  const last = await send(service.client(), 'last');
  assert.is(last.status, 200, last.text);
  const { json } = await service.client(cookie).get('/api/admin/forms/contact/submissions?limit=500');
  assert.is(json.total, accepted.length + 1);
  // Only stored submissions are notified.
  await eventually(
    () => assert.ok(receiver.received.some(({ json: notification }) => notification.id === last.json.id)),
    30_000,
  );
  const stored = new Set([...accepted, last.json.id]);
  for (const { json: notification } of receiver.received) assert.ok(stored.has(notification.id));
});

test.run();
