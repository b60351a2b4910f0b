// What monitoring asks while the service works.
import { closeSync, existsSync, openSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commitFile } from '../support/git.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { createWriters } from '../support/writers.ts';

const SERVICE_SECRET = 'service-secret-of-the-tests-0123456789';
const SLOW_MS = 1000;

test('health, readiness and metrics answer in time while clients write', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  for (let n = 0; n < 4; n++) await service.client(cookie).post('/api/cms/posts', { slug: `shared-${n}`, data: {} });
  const writers = createWriters(4);
  const { done, stop } = writers.run(
    Array.from({ length: 16 }, () => service.client(cookie)),
    createRandom(5),
  );
  const monitor = service.client();
  const slowest: Record<string, number> = {};
  const until = performance.now() + 3000;
  while (performance.now() < until) {
    for (const path of ['/healthz', '/readyz', '/metrics', '/']) {
      const startedMs = performance.now();
      const reply = await monitor.get(path);
      slowest[path] = Math.max(slowest[path] ?? 0, performance.now() - startedMs);
      assert.is(reply.status, 200, reply.text);
      if (path === '/readyz') assert.equal(reply.json, { ok: true, problems: 0, warnings: 0 });
    }
  }
  stop();
  await done;
  for (const [path, ms] of Object.entries(slowest)) assert.ok(ms < SLOW_MS, `${path} took ${ms} ms`);
  const { text } = await monitor.get('/metrics');
  const created = writers.writes.filter(({ kind, status }) => kind === 'create' && status === 200).length;
  assert.match(text, `colophon_documents{site="default"} ${created + 4}\n`);
  assert.match(text, 'colophon_set_aside{site="default"} 0\n');
  const counted =
    /^http_requests_total\{route="\/api\/cms\/\{collection\}\/\{slug\}",method="PATCH",status="200"\} (\d+)$/m.exec(
      text,
    );
  assert.is(Number(counted?.[1]), writers.answered - created);
  await eventually(async () => {
    assert.match((await monitor.get('/metrics')).text, 'colophon_unflushed_commits{site="default"} 0\n');
  }, 10_000);
});

test('metrics are for this machine and the service token only', async () => {
  await using place = makePlace();
  const service = await place.start({ CMS_SERVICE_SECRET: SERVICE_SECRET });
  const client = service.client();
  // A proxy on this machine forwards for another client.
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' };
  assert.is((await client.get('/metrics')).status, 200);
  // A page of another site whose name resolves to this machine.
  assert.is((await client.get('/metrics', { host: 'rebound.example' })).status, 401);
  assert.is((await client.get('/metrics', { host: 'localhost:3010' })).status, 200);
  assert.is((await client.get('/metrics', elsewhere)).status, 401);
  assert.is((await client.get('/metrics', { ...elsewhere, 'x-cms-service-token': 'wrong' })).status, 401);
  assert.is((await client.get('/metrics', { ...elsewhere, 'x-cms-service-token': SERVICE_SECRET })).status, 200);
});

test('a file that is not a document is a warning at /readyz, and the service is ready', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  await service.client(cookie).post('/api/cms/posts', { slug: 'one', data: {} });
  await service.stop();
  await commitFile(place.repository, 'content/posts/broken.json', '{"slug": ');
  service = await place.start();
  assert.equal((await service.client().get('/readyz')).json, { ok: true, problems: 0, warnings: 1 });
  const ready = await service.client(cookie).get('/readyz');
  assert.is(ready.status, 200);
  assert.is(ready.json.ok, true);
  assert.equal(ready.json.warnings.length, 1);
  assert.match(ready.json.warnings[0], 'content/posts/broken.json');
  assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 1);
});

test('a lock that a killed git left is reported at /readyz, in the metrics and in the log until it is gone, even after a kill', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  assert.is((await service.client(cookie).post('/api/cms/posts', { slug: 'one', data: {} })).status, 200);
  await eventually(async () => {
    assert.match((await service.client().get('/metrics')).text, 'colophon_unflushed_commits{site="default"} 0\n');
  }, 10_000);
  const lock = join(place.repository, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  const heldBy = openSync(lock, 'r');
  const editor = service.client(cookie);
  for (let i = 0; i < 500; i++) {
    assert.is((await editor.patch('/api/cms/posts/one', { data: { title: `Title ${i}` } })).status, 200);
  }
  await eventually(async () => {
    const ready = await editor.get('/readyz');
    assert.is(ready.status, 200);
    assert.match(ready.json.warnings[0] ?? '', /content\.git\/refs\/heads\/main\.lock" .* process \d+/);
  }, 15_000);
  const { text } = await service.client().get('/metrics');
  assert.match(
    text,
    /colophon_repository_lock_age_seconds\{site="default",lock="content.git\/refs\/heads\/main.lock"\} \d/,
  );
  await eventually(() => {
    assert.ok(service.log().some((line) => JSON.stringify(line).includes('content.git/refs/heads/main.lock')));
  }, 5000);
  await service.kill();
  closeSync(heldBy);
  utimesSync(lock, new Date(Date.now() - 3_600_000), new Date(Date.now() - 3_600_000));
  service = await place.start();
  const monitor = service.client();
  assert.is((await service.client(cookie).get('/api/cms/posts/one')).json.data.title, 'Title 499');
  await eventually(async () => {
    assert.match((await monitor.get('/metrics')).text, 'colophon_unflushed_commits{site="default"} 0\n');
  }, 30_000);
  assert.is(existsSync(lock), false);
  assert.equal((await monitor.get('/readyz')).json, { ok: true, problems: 0, warnings: 0 });
});

test.run();
