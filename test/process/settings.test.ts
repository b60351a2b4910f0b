// Kills the service between the files of a change of settings: plain values, secrets and audit agree afterwards.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';

const ROUNDS = 5;
const PATH = '/api/admin/site-config';

test(`a setting, its secret and the audit agree after each of ${ROUNDS} kills`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  let sent = 0;
  let answered = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const client = service.client(cookie);
    const run = async (): Promise<void> => {
      for (;;) {
        const n = ++sent;
        // The numbers of a plain value and of a secret, changed together.
        const body = { backupRetention: (n % 1000) + 1, flyToken: `token-of-change-${n}` };
        const reply = await client.post(PATH, body).catch(() => undefined);
        if (!reply) return;
        assert.is(reply.status, 200, reply.text);
        answered = n;
      }
    };
    const before = answered;
    const running = run();
    await eventually(() => assert.ok(answered > before + 1), 30_000);
    await later(random.whole(0, 40));
    await service.kill();
    await running;
    client.close();

    service = await place.start();
    const reader = service.client(cookie);
    const { json } = await reader.get(PATH);
    const site = join(place.dataDir, 'sites', 'default');
    const secrets = JSON.parse(readFileSync(join(site, 'secrets.json'), 'utf8'));
    const plain = JSON.parse(readFileSync(join(site, '_data', 'site-config.json'), 'utf8'));
    const last = Number(secrets.settings.flyToken.split('-').at(-1));
    assert.ok(last === answered || last === sent, `${last}, answered ${answered}, sent ${sent}`);
    assert.is(plain.backupRetention, (last % 1000) + 1);
    assert.is(json.backupRetention, plain.backupRetention);
    assert.is(secrets.pending, undefined);
    assert.is(secrets.unaudited, undefined);
    const audit = await reader.get('/api/admin/audit?limit=500');
    const updates = audit.json.entries.filter(({ action }: { action: string }) => action === 'settings.updated');
    assert.is(updates.length, secrets.revision);
    assert.is(updates[0].changes[0].after, plain.backupRetention);
    assert.is(new Set(updates.map(({ id }: { id: string }) => id)).size, updates.length);
    reader.close();
  }
  await service.stop();
});

test(`the audit has every access token once, after each of ${ROUNDS} kills`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  const answered: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const client = service.client(cookie);
    const run = async (): Promise<void> => {
      for (;;) {
        const body = { name: 'site', permissions: ['content:read'] };
        const reply = await client.post('/api/admin/access-tokens', body).catch(() => undefined);
        if (!reply) return;
        assert.is(reply.status, 200, reply.text);
        answered.push(reply.json.id);
      }
    };
    const before = answered.length;
    const running = Promise.all([run(), run()]);
    await eventually(() => assert.ok(answered.length > before + 1), 30_000);
    await later(random.whole(0, 40));
    await service.kill();
    await running;
    client.close();

    service = await place.start();
    const reader = service.client(cookie);
    await eventually(async () => {
      const file = JSON.parse(readFileSync(join(place.dataDir, 'access-tokens.json'), 'utf8'));
      const made = file.tokens.map(({ id }: { id: string }) => id).sort();
      const { json } = await reader.get('/api/admin/audit?limit=500');
      const added = json.entries.filter(({ action }: { action: string }) => action === 'token.added');
      assert.equal(added.map(({ target }: { target: string }) => target).sort(), made);
      assert.ok(answered.every((id) => made.includes(id)));
    }, 10_000);
    reader.close();
  }
  await service.stop();
});

test.run();
