// GET over HTTP through the service, with the token checked and the request logged, compared with bare node:http
// sending the same bytes from a separate process. The load generator, this process, shares the cores with both.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { alternate, type Bench, barsAt } from './bench.ts';
import { makePlace, removePlace } from './place.ts';
import { startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';

const CONNECTIONS = 64;
const MAX_SECONDS = 5;
const WARM_UP_SECONDS = 1;
const TARGETS = [
  { figure: 'GET one document', path: '/api/cms/posts/doc-7', bar: { atLeast: 0.6, aim: 0.9 } },
  {
    figure: 'GET a page of 20',
    path: '/api/cms/posts?limit=20&status=published&orderBy=date',
    bar: { atLeast: 0.6, aim: 0.75 },
  },
];

export async function* reads(bench: Bench): AsyncGenerator<BenchRow> {
  const count = bench.counts.at(-1)!;
  const place = await makePlace(bench, 'reads', { count, sharded: false });
  bench.progress(`open ${count} documents`);
  const service = await startService(place);
  try {
    for (const { figure, path, bar } of TARGETS) {
      const answer = await fetch(service.url + path, { headers: service.headers });
      const bare = await startBare(Buffer.from(await answer.arrayBuffer()));
      const measure = async (url: string, duration: number): Promise<number> => {
        const { headers } = service;
        const found = await autocannon({ url, headers, connections: CONNECTIONS, duration });
        if (found.non2xx || found.errors) throw new Error(`${url}: ${found.non2xx} refusals, ${found.errors} errors`);
        return found['2xx'] / found.duration;
      };
      const seconds = Math.min(bench.seconds, MAX_SECONDS);
      for (const url of [service.url + path, bare.url]) await measure(url, WARM_UP_SECONDS);
      const found = await alternate(bench, {
        service: () => measure(service.url + path, seconds),
        'bare node:http': () => measure(bare.url, seconds),
      });
      bare.kill();
      yield toRow({
        figure: `${figure}, ${count} documents, ${CONNECTIONS} connections`,
        unit: '/s',
        values: found.service,
        reference: 'bare node:http, same bytes',
        references: found['bare node:http'],
        bars: barsAt(count, bar),
      });
    }
  } finally {
    await service.kill();
  }
  removePlace(place);
}

/** A server in a process of its own that answers everything with these bytes. */
export async function startBare(bytes: Buffer): Promise<{ url: string; kill(): void }> {
  const child = fork(new URL(import.meta.url), { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
  child.stdin!.end(bytes);
  const [url] = await once(child, 'message');
  return { url: String(url), kill: () => void child.kill('SIGKILL') };
}

async function serveBytes(): Promise<void> {
  const bytes = await buffer(process.stdin);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
}

if (import.meta.main) await serveBytes();
