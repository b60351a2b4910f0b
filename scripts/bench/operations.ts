// Work besides the content: uploads that are served, compared with a file server of node:http alone in a separate
// process, and forms that are sent, compared with the same bytes written durably to one file each. The load generator
// shares the cores with all.
import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import autocannon from 'autocannon';
import { alternate, type Bench } from './bench.ts';
import { type Service, startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';

const CONNECTIONS = 64;
const SENDERS = 16;
const MAX_SECONDS = 5;
const WARM_UP_SECONDS = 1;
const SIZES = [4 << 10, 300 << 10];
const FORM = {
  name: 'contact',
  fields: ['name', 'message'].map((name) => ({ name, label: name, type: 'text' })),
  spam: { rateLimit: 1_000_000_000 },
};
const SUBMISSION = { name: 'Ada', message: 'lorem ipsum '.repeat(40) };

export async function* operations(bench: Bench): AsyncGenerator<BenchRow> {
  const dataDir = path.join(bench.folder, 'operations');
  const configPath = path.join(bench.folder, 'operations.config.json');
  const files = path.join(bench.folder, 'files');
  fs.mkdirSync(files);
  fs.writeFileSync(configPath, JSON.stringify({ collections: [], forms: [FORM] }));
  const service = await startService({ dataDir, configPath });
  const plain = await startFileServer(files);
  try {
    yield* serving(bench, service, { url: plain.url, folder: files });
    yield* sending(bench, service);
  } finally {
    plain.kill();
    await service.kill();
  }
  fs.rmSync(dataDir, { recursive: true });
}

async function* serving(bench: Bench, service: Service, plain: { url: string; folder: string }) {
  const seconds = Math.min(bench.seconds, MAX_SECONDS);
  for (const sizeBytes of SIZES) {
    const bytes = Buffer.alloc(sizeBytes, 'a line of text\n');
    fs.writeFileSync(path.join(plain.folder, `${sizeBytes}.txt`), bytes);
    const served = { ours: service.url + (await upload(service, bytes)), theirs: `${plain.url}/${sizeBytes}.txt` };
    for (const url of Object.values(served)) await load({ url, connections: CONNECTIONS }, WARM_UP_SECONDS);
    const found = await alternate(bench, {
      service: () => load({ url: served.ours, connections: CONNECTIONS }, seconds),
      'file server': () => load({ url: served.theirs, connections: CONNECTIONS }, seconds),
    });
    yield toRow({
      figure: `GET an upload of ${sizeBytes >> 10} KB, ${CONNECTIONS} connections`,
      unit: '/s',
      values: found.service,
      reference: 'file server of node:http alone',
      references: found['file server'],
    });
  }
}

async function* sending(bench: Bench, service: Service) {
  const seconds = Math.min(bench.seconds, MAX_SECONDS);
  const request = {
    url: `${service.url}/api/forms/${FORM.name}`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(SUBMISSION),
    connections: SENDERS,
  };
  await load(request, WARM_UP_SECONDS);
  const folder = path.join(bench.folder, 'submissions');
  fs.mkdirSync(folder);
  const found = await alternate(bench, {
    service: () => load(request, seconds),
    files: () => writeFiles(folder, seconds),
  });
  yield toRow({
    figure: `POST a form, ${SENDERS} at once`,
    unit: '/s',
    values: found.service,
    reference: 'a synced file each, renamed, its folder synced',
    references: found.files,
  });
}

async function load(options: autocannon.Options, duration: number): Promise<number> {
  const found = await autocannon({ ...options, duration });
  if (found.non2xx || found.errors) throw new Error(`${options.url}: ${found.non2xx} refusals, ${found.errors} errors`);
  return found['2xx'] / found.duration;
}

async function upload(service: Service, bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'bench.txt');
  const answer = await fetch(`${service.url}/api/upload`, { method: 'POST', headers: service.headers, body: form });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { url: string }).url;
}

/** As durable as a submission, with as many at once. */
async function writeFiles(folder: string, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const started = performance.now();
  let written = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < until) {
      const name = hash('sha256', `${written++} ${started}`);
      const file = await open(path.join(folder, `.${name}`), 'wx');
      await file.writeFile(JSON.stringify(SUBMISSION));
      await file.sync();
      await file.close();
      await rename(path.join(folder, `.${name}`), path.join(folder, name));
      const names = await open(folder, 'r');
      await names.sync();
      await names.close();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, write));
  return (written * 1000) / (performance.now() - started);
}

async function startFileServer(folder: string): Promise<{ url: string; kill(): void }> {
  const child = fork(new URL(import.meta.url), [folder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [url] = await once(child, 'message');
  return { url: String(url), kill: () => void child.kill('SIGKILL') };
}

/** What a programmer would write in ten lines: a stat, a stream, and the headers that a client needs to cache it. */
function serveFiles(folder: string): void {
  const server = createServer((request, response) => {
    const file = path.join(folder, path.basename(request.url ?? ''));
    fs.stat(file, (error, about) => {
      if (error) return response.writeHead(404).end();
      const etag = `"${about.size}-${about.mtimeMs}"`;
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': about.size, etag });
      fs.createReadStream(file).pipe(response);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

if (import.meta.main) serveFiles(process.argv[2] ?? '../bench');
