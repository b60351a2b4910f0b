// How long one writer waits for one answer: in process, compared with an append of 2 KB and fdatasync, and over HTTP.
import { once } from 'node:events';
import fs from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { alternate, type Bench } from './bench.ts';
import { createDocuments, createRandom } from './documents.ts';
import { makePlace, type Place, removePlace } from './place.ts';
import { type Service, startService } from './service.ts';
import { type BenchRow, percentile, toRow } from './table.ts';
import { startWriter } from './writer.ts';

const IN_PROCESS_BAR = { documents: 1000, atMost: 4 };
/** In milliseconds. */
const HTTP_BARS = new Map([
  [1000, 1],
  [100_000, 10],
]);
const SECONDS = 2;
const WARM_UP_SECONDS = 1;
const APPENDS = 300;

export async function* acknowledgements(bench: Bench): AsyncGenerator<BenchRow> {
  for (const count of bench.counts) yield* acknowledgementsOf(bench, count);
}

async function* acknowledgementsOf(bench: Bench, count: number): AsyncGenerator<BenchRow> {
  const layout = { count, sharded: false };
  const here = await makePlace(bench, 'ack', layout);
  const there = await makePlace(bench, 'ack-http', layout);
  bench.progress(`open ${count} documents`);
  const writer = await startWriter(here);
  const service = await startService(there);
  try {
    await writer.run({ writers: 1, seconds: WARM_UP_SECONDS });
    await measureHttp(service, there, WARM_UP_SECONDS);
    const found = await alternate(bench, {
      createCms: async () => (await writer.run({ writers: 1, seconds: SECONDS })).medianMs,
      append: () => measureAppend(path.join(bench.folder, 'append')),
      HTTP: () => measureHttp(service, there, SECONDS),
    });
    const reference = { reference: 'append of 2 KB and fdatasync, p50', references: found.append, unit: 'ms' };
    const { documents, atMost } = IN_PROCESS_BAR;
    yield toRow({
      figure: `one writer, acknowledgement p50, ${count} documents`,
      values: found.createCms,
      ...reference,
      ...(count === documents ? { bars: [{ atMost }] } : {}),
    });
    const bar = HTTP_BARS.get(count);
    yield toRow({
      figure: `the same over HTTP, ${count} documents`,
      values: found.HTTP,
      ...reference,
      ...(bar === undefined ? {} : { bars: [{ of: 'figure', atMost: bar }] }),
    });
  } finally {
    await Promise.all([writer.kill(), service.kill()]);
  }
  removePlace(here);
  removePlace(there);
}

/** Milliseconds, the median. */
function measureAppend(file: string): number {
  const fd = fs.openSync(file, 'w');
  const bytes = Buffer.alloc(2048, 'x');
  const times = Array.from({ length: APPENDS }, () => {
    const started = performance.now();
    fs.writeSync(fd, bytes);
    fs.fdatasyncSync(fd);
    return performance.now() - started;
  });
  fs.closeSync(fd);
  return percentile(times, 0.5);
}

/** Milliseconds from request to the whole answer, one after the other on one connection; the median. */
async function measureHttp({ url, headers }: Service, { count }: Place, seconds: number): Promise<number> {
  const documents = createDocuments();
  const random = createRandom(7);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const bodies = Array.from({ length: 200 }, (_, i) => JSON.stringify({ data: { body: documents.data(i).body } }));
  const times: number[] = [];
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const body = bodies[times.length % bodies.length]!;
    const target = `/api/cms/posts/${documents.slug(Math.floor(random() * count))}`;
    const started = performance.now();
    const asked = request(url + target, {
      agent,
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) throw new Error(`PATCH: ${answer.statusCode}`);
    times.push(performance.now() - started);
  }
  agent.destroy();
  return percentile(times, 0.5);
}
