// The sync server: pages over HTTP while deploys come in, compared with bare node:http sending the same bytes, and how
// long a deploy of 10 changed files among 10,000 takes.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { PublishedFile } from '../../src/deploy/providers/provider.ts';
import { createSyncClient, type SyncClient } from '../../src/deploy/providers/sync-client.ts';
import { createGuardedFetch } from '../../src/outbound/fetch.ts';
import { alternate, type Bench } from './bench.ts';
import { startBare } from './reads.ts';
import { type BenchRow, toRow } from './table.ts';

const CONNECTIONS = 64;
const MAX_SECONDS = 5;
const WARM_UP_SECONDS = 1;
const FILES = 10_000;
const CHANGED = 10;
const PAGE = 'posts/post-7/index.html';
/** Between two deploys that come in: people save, and a build takes longer. */
const PAUSE_MS = 500;
const MAIN = path.join(import.meta.dirname, '../../src/sync/main.ts');

export async function* sync(bench: Bench): AsyncGenerator<BenchRow> {
  const secret = randomBytes(16).toString('hex');
  const folder = path.join(bench.folder, 'sync');
  const site = createSite(path.join(folder, 'site'));
  const server = await startServer(path.join(folder, 'srv'), secret);
  try {
    bench.progress(`send ${FILES} files`);
    await publish(makeClient(server.url, secret), site.files());
    const times: number[] = [];
    for (let round = 0; round < bench.repeats + 1; round++) {
      bench.progress(`deploy ${CHANGED} changed files, run ${round + 1}`);
      site.change(round);
      const started = performance.now();
      await publish(makeClient(server.url, secret), site.files());
      times.push(performance.now() - started);
    }
    yield toRow({
      figure: `deploy ${CHANGED} changed of ${FILES} files`,
      unit: 'ms',
      values: times,
      reference: 'the bar, 2 s',
      references: [2000],
      bars: [{ atMost: 1 }],
    });
    yield await measureReads(bench, server.url, () => {
      site.change(performance.now());
      return publish(makeClient(server.url, secret), site.files());
    });
  } finally {
    server.child.kill('SIGKILL');
  }
}

async function measureReads(bench: Bench, url: string, deploy: () => Promise<void>): Promise<BenchRow> {
  const page = `${url}/${PAGE}`;
  const bare = await startBare(Buffer.from(await (await fetch(page)).arrayBuffer()));
  const measure = async (address: string, duration: number): Promise<number> => {
    const found = await autocannon({ url: address, connections: CONNECTIONS, duration });
    if (found.non2xx || found.errors) throw new Error(`${address}: ${found.non2xx} refusals, ${found.errors} errors`);
    return found['2xx'] / found.duration;
  };
  for (const address of [page, bare.url]) await measure(address, WARM_UP_SECONDS);
  const state = { isOver: false, deploys: 0 };
  const deploying = (async () => {
    for (; !state.isOver; state.deploys++) {
      await deploy();
      await delay(PAUSE_MS);
    }
  })();
  const seconds = Math.min(bench.seconds, MAX_SECONDS);
  // Deploys come in during both, because they take time of the same cores.
  const found = await alternate(bench, {
    server: () => measure(page, seconds),
    'bare node:http': () => measure(bare.url, seconds),
  });
  state.isOver = true;
  await deploying;
  bare.kill();
  return toRow({
    figure: `GET a page while deploys come in, ${CONNECTIONS} connections`,
    unit: '/s',
    values: found.server,
    reference: 'bare node:http, same bytes',
    references: found['bare node:http'],
    bars: [{ atLeast: 0.5 }],
    note: `${state.deploys} deploys came in`,
  });
}

function createSite(folder: string) {
  const files = new Map<string, PublishedFile>();
  const write = (name: string, text: string): void => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    files.set(name, { path: name, file, sizeBytes: Buffer.byteLength(text), sha256 });
  };
  const nameOf = (at: number): string => `posts/post-${at}/index.html`;
  for (let at = 0; at < FILES; at++) write(nameOf(at), `<p>${at}</p>${'lorem ipsum '.repeat(400)}`);
  return {
    files: () => [...files.values()],
    /** Other pages than the one that is read. */
    change(mark: number): void {
      for (let at = 1; at <= CHANGED; at++) write(nameOf(at * 900), `<p>${at} at ${mark}</p>`);
    },
  };
}

function makeClient(url: string, secret: string): SyncClient {
  let memory: unknown;
  return createSyncClient({
    url,
    secret,
    isOwnAddress: false,
    context: {
      fetch: createGuardedFetch({ allowPrivate: () => true }).fetch,
      delay: (ms, signal) => delay(ms, undefined, { signal }),
      now: () => new Date(),
      signal: new AbortController().signal,
      log: () => undefined,
      progress: () => undefined,
      resume: { get: () => memory, set: async (value) => void (memory = value) },
    },
  });
}

async function publish(client: SyncClient, files: readonly PublishedFile[]): Promise<void> {
  await client.send(await client.plan(files));
  await client.commit();
}

async function startServer(root: string, secret: string): Promise<{ child: ChildProcess; url: string }> {
  fs.mkdirSync(root, { recursive: true });
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SYNC_SECRET: secret, PORT: '0', HOST: '127.0.0.1', SITE_DATA_ROOT: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout!, 'data');
  return { child, url: /(http:\/\/\S+)/.exec(String(line))?.[1] ?? '' };
}
