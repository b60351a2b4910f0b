// Durable commits per second of 64 writers, through createCms and over HTTP, and with 2 ms more per fsync; counted when
// git has them. Compared with `git fast-import`, which is not durable. The writers over HTTP run on the same cores.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon, { type Client } from 'autocannon';
import { alternate, type Bench } from './bench.ts';
import { createDocuments, createRandom } from './documents.ts';
import { createFastImport } from './fast-import.ts';
import { checkRepository, countCommits, makePlace, type Place, removePlace } from './place.ts';
import { type Service, startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';
import { startWriter, type Writer } from './writer.ts';

const WRITERS = 64;
/**
 * At least this many times the rate of fast-import; the larger the directory, the more of its time goes into the tree.
 */
const BARS = new Map([
  [1000, { inProcess: 2.5, http: 1.5 }],
  [10_000, { inProcess: 5, http: 4 }],
  [100_000, { inProcess: 10, http: 8 }],
]);
const SLOW_DISK_BAR = 0.7;
const WARM_UP_SECONDS = 2;

export async function* writes(bench: Bench): AsyncGenerator<BenchRow> {
  for (const count of bench.counts) yield* writesOf(bench, count);
}

async function* writesOf(bench: Bench, count: number): AsyncGenerator<BenchRow> {
  const layout = { count, sharded: false };
  const places = [];
  for (const name of ['in-process', 'http', 'slow-disk']) places.push(await makePlace(bench, name, layout));
  const [here, there, far] = places as [Place, Place, Place];
  const fastImport = await createFastImport(bench, layout);
  bench.progress(`open ${count} documents`);
  const writer = await startWriter(here);
  const slowWriter = await startWriter(far, new URL('./slow-fsync.ts', import.meta.url));
  const service = await startService(there);
  try {
    const runOf = async (one: Writer, seconds: number): Promise<number> => {
      const { rate } = await one.run({ writers: WRITERS, seconds });
      one.pause();
      return rate;
    };
    const runHttp = async (seconds: number): Promise<number> => {
      service.resume();
      const rate = await measureHttp(service, there, seconds);
      service.pause();
      return rate;
    };
    await runOf(writer, WARM_UP_SECONDS);
    await runOf(slowWriter, WARM_UP_SECONDS);
    await runHttp(WARM_UP_SECONDS);
    const { seconds } = bench;
    const found = await alternate(bench, {
      createCms: () => runOf(writer, seconds),
      'git fast-import': () => fastImport.run(seconds),
      HTTP: () => runHttp(seconds),
      'slow disk': () => runOf(slowWriter, seconds),
    });
    const bars = BARS.get(count);
    const reference = { reference: 'git fast-import', references: found['git fast-import'], unit: '/s' };
    yield toRow({
      figure: `durable commits, ${WRITERS} writers, ${count} documents`,
      values: found.createCms,
      ...reference,
      ...(bars ? { bars: [{ atLeast: bars.inProcess }] } : {}),
    });
    yield toRow({
      figure: `the same over HTTP, ${WRITERS} connections, ${count} documents`,
      values: found.HTTP,
      ...reference,
      ...(bars ? { bars: [{ atLeast: bars.http }] } : {}),
      note: 'the load generator shares the cores',
    });
    yield toRow({
      figure: `the same with 2 ms more to every fsync, ${count} documents`,
      unit: '/s',
      values: found['slow disk'],
      reference: 'without',
      references: found.createCms,
      bars: [{ atLeast: SLOW_DISK_BAR }],
    });
  } finally {
    await Promise.all([writer.kill(), slowWriter.kill(), service.kill()]);
  }
  for (const place of places) {
    bench.progress(`git fsck, ${count} documents`);
    checkRepository(place);
    removePlace(place);
  }
}

const PREPARED = 200;

/** Commits per second until the branch has the last one that was answered; counting them is not included. */
async function measureHttp({ url, headers }: Service, place: Place, seconds: number): Promise<number> {
  const documents = createDocuments();
  const random = createRandom(5);
  const all = { ...headers, 'content-type': 'application/json' };
  const requests = Array.from({ length: PREPARED }, (_, i) =>
    JSON.stringify({ data: { body: documents.data(i).body } }),
  );
  const setupClient = (client: Client): void =>
    client.setRequests(
      requests.map((body) => ({
        method: 'PATCH',
        path: `/api/cms/posts/${documents.slug(Math.floor(random() * place.count))}`,
        headers: all,
        body,
      })),
    );
  const before = countCommits(place);
  const started = performance.now();
  const found = await autocannon({ url, headers: all, connections: WRITERS, duration: seconds, setupClient });
  if (found.non2xx || found.errors) throw new Error(`PATCH: ${found.non2xx} refusals, ${found.errors} errors`);
  for (;;) {
    const movedAt = await whenStill(place);
    const counted = countCommits(place) - before;
    if (counted >= found['2xx']) return counted / ((movedAt - started) / 1000);
  }
}

const STILL_MS = 100;

/**
 * The last time the branch moved, once it is at rest: counting commits takes git as long as hundreds take the service.
 */
async function whenStill({ repository }: Place): Promise<number> {
  const read = (): string => fs.readFileSync(path.join(repository, 'refs', 'heads', 'main'), 'latin1');
  let movedAt = performance.now();
  for (let head = read(); performance.now() - movedAt < STILL_MS; ) {
    await delay(5);
    const now = read();
    if (now !== head) movedAt = performance.now();
    head = now;
  }
  return movedAt;
}
