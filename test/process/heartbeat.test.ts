// Scheduled publication in the service as a process: killed in the middle of it, and left alone with its own heartbeat.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { untilFlushed } from './after-kill.ts';

const DUE = 400;
const KILLS = 4;
const SECRET = 'service-secret-of-the-tests-0123456789';
const TOKEN = { 'x-cms-service-token': SECRET };
const PAST = '2026-01-01T00:00:00.000Z';

/** Documents that wait for their time, as files next to the configuration. */
function makeDue(count: number): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => {
      const slug = `due-${n}`;
      const id = `D${String(n).padStart(11, '0')}`;
      const times = { createdAt: PAST, updatedAt: PAST, publishAt: PAST };
      return [
        `posts/${slug}.json`,
        { id, slug, collection: 'posts', status: 'draft', ...times, data: { title: `Title ${n}` } },
      ];
    }),
  );
}

async function publications(repository: string): Promise<Map<string, number>> {
  const log = await git(repository, 'log', '--format=%(trailers:key=Event,valueonly,separator=)|%s', 'main');
  const counts = new Map<string, number>();
  for (const line of log.split('\n')) {
    const [event, subject = ''] = line.split('|');
    if (event !== 'document.published') continue;
    const slug = subject.split(':')[0]!;
    counts.set(slug, (counts.get(slug) ?? 0) + 1);
  }
  return counts;
}

async function countPublished(service: Service, cookie: string, client = service.client(cookie)): Promise<number> {
  const { json } = await client.get('/api/cms/posts?status=published&limit=1');
  return json.total;
}

test(`each of ${DUE} due documents is published exactly once, though ${KILLS} heartbeats are killed in the middle`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace({ files: makeDue(DUE) });
  const env = { CMS_SCHEDULER: 'off', CMS_SERVICE_SECRET: SECRET };
  let service = await place.start(env);
  const cookie = await setUp(service);
  let partial = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const client = service.client(cookie);
    const before = await countPublished(service, cookie);
    const beat = client.get('/api/cms/heartbeat', TOKEN).catch(() => undefined);
    // Some are published by then, and the rest are not.
    const enough = before + random.whole(1, 20);
    const until = performance.now() + 20_000;
    while ((await countPublished(service, cookie, client)) < Math.min(enough, DUE))
      assert.ok(performance.now() < until);
    await service.kill();
    await beat;
    client.close();
    service = await place.start(env);
    const done = await countPublished(service, cookie);
    assert.ok(done >= Math.min(enough, DUE), `${done} of ${enough} that were seen`);
    if (done < DUE) partial++;
  }
  assert.ok(partial > 0, 'no kill came in the middle');
  const { status, json } = await service.client().get('/api/cms/heartbeat', TOKEN);
  assert.is(status, 200);
  assert.equal(json.errors, []);
  assert.is(await countPublished(service, cookie), DUE);
  assert.equal((await service.client().get('/api/cms/heartbeat', TOKEN)).json.ran, []);
  await untilFlushed(service);
  const counts = await publications(place.repository);
  assert.is(counts.size, DUE);
  assert.equal([...new Set(counts.values())], [1]);
  const { code } = await service.stop();
  assert.is(code, 0);
});

test('a scheduled backup that was missed is made once, though the service is killed in the middle of it', async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace({ files: makeDue(20) });
  const data = join(place.dataDir, 'sites', 'default', '_data');
  mkdirSync(data, { recursive: true });
  const [schedule, timezone, before] = [
    '0 3 * * *',
    'Europe/Berlin',
    new Date(Date.now() - 100 * 3600_000).toISOString(),
  ];
  writeFileSync(join(data, 'site-config.json'), JSON.stringify({ backupSchedule: schedule, timezone }));
  const backup = { schedule, timezone, setAt: before, after: before };
  writeFileSync(join(data, 'schedule.json'), JSON.stringify({ version: 1, jobs: { backup } }));
  const env = { CMS_SCHEDULER: 'off', CMS_SERVICE_SECRET: SECRET };
  let service = await place.start(env);
  const cookie = await setUp(service);
  const isUnderWay = (): boolean => readFileSync(join(data, 'schedule.json'), 'utf8').includes('"running"');
  let isCut = true;
  for (let kill = 0; kill < 2 && isCut; kill++) {
    const begun = service
      .client()
      .get('/api/cms/heartbeat', TOKEN)
      .catch(() => undefined);
    const until = performance.now() + 20_000;
    while (!isUnderWay()) {
      assert.ok(performance.now() < until);
      await nextTurn();
    }
    await later(random.whole(0, 3));
    await service.kill();
    await begun;
    isCut = isUnderWay();
    service = await place.start(env);
  }
  const { json } = await service.client().get('/api/cms/heartbeat', TOKEN);
  assert.is(json.ran.includes('backup: completed'), isCut, JSON.stringify(json));
  assert.not((await service.client().get('/api/cms/heartbeat', TOKEN)).json.ran.includes('backup: completed'));
  const { snapshots } = (await service.client(cookie).get('/api/admin/backups')).json;
  assert.ok(snapshots.some(({ status }: { status: string }) => status === 'complete'));
  assert.ok(snapshots.length <= 3, `${snapshots.length} snapshots`);
});

test('documents whose time was missed are published soon after the start, and the service ends when asked to', async () => {
  await using place = makePlace({ files: makeDue(20) });
  const service = await place.start();
  const cookie = await setUp(service);
  await eventually(async () => assert.is(await countPublished(service, cookie), 20), 15_000);
  const { code, afterMs } = await service.stop();
  assert.is(code, 0);
  assert.ok(afterMs < 10_000, `${afterMs} ms`);
});

test.run();
