// Every call that the service makes on a site's files is made to fail, one after the other, while clients write: the
// process is killed before or after it, the disk fails, is full, or writes half. Whatever happens, answered writes are
// there once, refused ones are not, and reads go on as long as there is a process.
// All names with all actions: `FAIL_POINTS=all node test/process/fail-points.test.ts`, one of them: `FAIL_POINTS='full:
// fsync folder wal'`; otherwise a share of them by SEED.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_IO } from '../../src/lib/exit-codes.ts';
import type { Client } from '../support/client.ts';
import { ACTIONS, type FailPoint } from '../support/fail-point.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkDocuments, checkRepository, createWriters, type Writers } from '../support/writers.ts';

const PRELOAD = pathToFileURL(resolve(import.meta.dirname, '../support/fail-point.ts')).href;
const CLIENTS = 4;
const SHARED = 4;
/** How many of all are tried, unless all of them are. */
const SHARE = 9;

/**
 * Calls of a running service; each of them occurs within a second of writes after a start. Replaced packs are removed a
 * minute later: store/maintenance-crash has a crash and a fault at each step of that.
 */
const NAMES = [
  'open new wal segment',
  'write new wal segment',
  'fsync new wal segment',
  'rename wal segment',
  'fsync folder wal',
  'write wal segment',
  'unlink wal segment',
  'open new keep',
  'write new keep',
  'fsync new keep',
  'rename keep',
  'open new pack',
  'write new pack',
  'fsync new pack',
  'rename pack',
  'open new idx',
  'write new idx',
  'fsync new idx',
  'rename idx',
  'fsync folder objects/pack',
  'open own ref',
  'write own ref',
  'fsync own ref',
  'link ref lock',
  'rename ref',
  'fsync folder refs/heads',
  'unlink own ref',
  'unlink keep',
];

function listPoints(): FailPoint[] {
  return NAMES.flatMap((name) =>
    ACTIONS.filter((action) => action !== 'short' || name.startsWith('write ')).map((action) => ({ name, action })),
  );
}

/**
 * The branch is moved, and it is unknown whether the disk has that: whatever the reason, only a new start can go on.
 */
const isMoved = ({ name }: FailPoint): boolean => name === 'fsync folder refs/heads';

interface Scene {
  place: Place;
  armFile: string;
  writers: Writers;
  cookie: string;
}

async function start({ place, armFile }: Pick<Scene, 'place' | 'armFile'>): Promise<Service> {
  const starting = place.spawn({ FAIL_POINT: armFile, NODE_OPTIONS: `--import=${PRELOAD}` });
  try {
    return await starting.ready;
  } catch (error) {
    // It would keep the next one from locking the data folder.
    await starting.kill();
    throw error;
  }
}

async function checkReads(client: Client, writers: Writers): Promise<void> {
  // While writes go on, those answered from here on may or may not be in the answer.
  const sent = writers.writes.map((write) => ({ ...write }));
  const { status, json } = await client.get('/api/cms/posts?limit=100000');
  assert.is(status, 200);
  const documents = json.documents.map((doc: { slug: string; data: Record<string, unknown> }) => [doc.slug, doc.data]);
  checkDocuments(sent, new Map(documents));
}

/** Arms the point, writes until it is met, and checks the answers of the clients. */
async function meet(scene: Scene, point: FailPoint): Promise<void> {
  const { armFile, writers, cookie } = scene;
  const service = await start(scene);
  const random = createRandom(1);
  const clients = Array.from({ length: CLIENTS }, () => service.client(cookie));
  const reader = service.client(cookie);
  const before = writers.writes.length;
  const what = `${point.action}: ${point.name}`;
  writeFileSync(armFile, JSON.stringify(point));
  const { done, stop } = writers.run(clients, random);
  try {
    await eventually(() => assert.ok(existsSync(`${armFile}.fired`), `${what} is never met`), 10_000);
    if (point.action === 'full' && !isMoved(point)) await checkFull(service, reader, scene, before, what);
    if (point.action.startsWith('kill')) assert.is((await service.exited).signal, 'SIGKILL', what);
    if (point.action === 'short') await untilAnswered(writers, what);
    // A failed sync or write ends the process; any other failure may do so, and reports why.
    if ((point.action === 'EIO' && /^(fsync|write) /.test(point.name)) || (point.action === 'full' && isMoved(point)))
      assert.is((await service.exited).code, EXIT_IO, what);
  } finally {
    stop();
    await Promise.race([done, service.exited, later(2000)]);
    await service.kill();
    rmSync(armFile, { force: true });
    rmSync(`${armFile}.fired`, { force: true });
  }
  await done;
  for (const client of [...clients, reader]) client.close();
  const statuses = new Set(writers.writes.slice(before).map(({ status }) => status));
  // A client that goes on with a document whose creation was refused gets a 404.
  const expected = {
    full: isMoved(point) ? [200, 503, 404] : [200, 507, 404],
    EIO: [200, 503, 404],
    short: [200],
    'kill before': [200],
    'kill after': [200],
  };
  for (const status of statuses) {
    assert.ok(status === undefined || expected[point.action].includes(status), `${what}: answered ${status}`);
  }
}

/** Refuses with 507 and serves reads; when there is room again, writes resume. */
async function checkFull(service: Service, reader: Client, scene: Scene, before: number, what: string): Promise<void> {
  const { writers, armFile } = scene;
  // Files that are no longer needed are only removed later.
  if (!what.includes('unlink')) {
    await eventually(() => {
      const statuses = writers.writes.slice(before).map(({ status }) => status);
      assert.ok(statuses.includes(507), `${what}: no client gets a 507`);
    }, 10_000);
    assert.is((await reader.get('/readyz')).status, 503, what);
  }
  await checkReads(reader, writers);
  rmSync(armFile, { force: true });
  await untilAnswered(writers, what);
  await eventually(async () => assert.is((await reader.get('/readyz')).status, 200, what), 5000);
  await untilFlushed(service);
}

async function untilAnswered(writers: Writers, what: string): Promise<void> {
  const { answered } = writers;
  await eventually(() => assert.ok(writers.answered > answered + CLIENTS, `${what}: writes do not go on`), 10_000);
}

async function untilFlushed(service: Service): Promise<void> {
  await eventually(async () => {
    const { text } = await service.client().get('/metrics');
    assert.match(text, /^colophon_unflushed_commits\{[^}]*\} \d{1,3}$/m);
  }, 5000);
}

test('a disk call that fails, or is the last before a kill, costs no client an answered write', async () => {
  const random = createRandom(Number(process.env.SEED) || 2026);
  console.log(`SEED=${random.seed}`);
  const points = listPoints().sort((a, b) => (a.action < b.action ? -1 : 1));
  const named = process.env.FAIL_POINTS;
  const isAll = named !== undefined;
  const tried = isAll
    ? points.filter(({ action, name }) => named === 'all' || named === `${action}: ${name}`)
    : Array.from({ length: SHARE }, () => points.splice(random.whole(0, points.length - 1), 1)[0]!);
  await using place = makePlace();
  const writers = createWriters(SHARED);
  const scene: Scene = { place, armFile: `${place.folder}/fail-point`, writers, cookie: '' };
  let service = await start(scene);
  scene.cookie = await setUp(service);
  const client = service.client(scene.cookie);
  for (let n = 0; n < SHARED; n++)
    assert.is((await client.post('/api/cms/posts', { slug: `shared-${n}`, data: { title: `${n}` } })).status, 200);
  await service.kill();
  assert.ok(tried.length > 0, `${named} is not a fail point`);
  const failures: string[] = [];
  for (const point of tried) {
    if (isAll) console.log(`${point.action}: ${point.name}`);
    await meet(scene, point).catch((error: Error) => {
      failures.push(`${point.action}: ${point.name}: ${error.message}`);
      console.log(failures.at(-1));
    });
    service = await start(scene);
    await checkReads(service.client(scene.cookie), writers);
    await service.kill();
  }
  assert.equal(failures, []);
  service = await start(scene);
  assert.is((await service.stop()).code, 0);
  await git(place.repository, 'fsck', '--strict', '--full');
  await checkRepository(place.repository, writers.writes);
});

test.run();
