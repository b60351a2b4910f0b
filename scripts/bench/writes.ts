// Durable commits per second through createCms against `git fast-import` on the same tree, and the time of one
// acknowledgement against appending 2 KB and fdatasync.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createCms } from '../../src/cms.ts';
import { openStore } from '../../src/store/store.ts';
import { BENCH_CONFIG, type BenchDocuments, createDocuments, createRandom, fileBatches } from './documents.ts';
import { type BenchRow, percentile, toRow } from './table.ts';

const WRITERS = 64;
/** Texts and files are made before the clock runs; making one costs as much as a write. */
const PREPARED = 1000;

/** A data folder whose site holds this many documents. */
export async function plant(dataDir: string, documents: BenchDocuments, count: number): Promise<void> {
  const store = openStore({ folder: path.join(dataDir, 'sites', 'default') });
  const author = { name: 'Bench', email: 'bench@localhost' };
  const nothing = (): void => undefined;
  for (const files of fileBatches(documents, count)) {
    const draft = { files, author, at: Date.now(), subject: 'content: plant', trailers: ['Event: content.imported'] };
    await store.log.append({ ...draft, apply: nothing, undo: nothing }).durable;
  }
  await store.close();
}

export async function benchWrites(folder: string, count: number, seconds: number): Promise<BenchRow[]> {
  const documents = createDocuments();
  const dataDir = path.join(folder, `writes-${count}`);
  await plant(dataDir, documents, count);
  const commits = await measureService(dataDir, documents, count, seconds);
  const reference = await measureFastImport(path.join(folder, `import-${count}`), documents, count, seconds);
  const ack = await measureAck(dataDir, documents, count);
  const sync = measureSync(path.join(folder, 'sync'));
  return [
    toRow(`durable commits, ${count} documents, ${WRITERS} writers`, commits, '/s', 'git fast-import', reference),
    toRow(`one writer, acknowledgement p50, ${count} documents`, ack, 'ms', 'append 2 KB and fdatasync p50', sync),
  ];
}

/** Counted when they are valid git: the clock stops after the flush. */
async function measureService(
  dataDir: string,
  documents: BenchDocuments,
  count: number,
  seconds: number,
): Promise<number> {
  const cms = await createCms(BENCH_CONFIG, { dataDir });
  const random = createRandom(2);
  const bodies = Array.from({ length: PREPARED }, (_, i) => documents.data(i).body);
  const ids = Array.from({ length: count }, (_, i) => cms.site.view.bySlug('posts', documents.slug(i))!.id);
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const started = performance.now();
  const writer = async (): Promise<void> => {
    while (performance.now() < until) {
      const id = ids[Math.floor(random() * count)]!;
      await cms.content.update('posts', id, { data: { body: bodies[done++ % PREPARED]! } });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await cms.site.store.log.flush();
  const rate = done / ((performance.now() - started) / 1000);
  await cms.close();
  check(path.join(dataDir, 'sites', 'default', 'content.git'));
  return rate;
}

function check(repository: string): void {
  const { status, stdout, stderr } = spawnSync('git', ['-C', repository, 'fsck', '--strict', '--connectivity-only']);
  if (status !== 0) throw new Error(`git fsck: ${stdout}${stderr}`);
}

/** One commit a change, pipelined, no checkpoint: not even durable before its end. */
async function measureFastImport(
  folder: string,
  documents: BenchDocuments,
  count: number,
  seconds: number,
): Promise<number> {
  fs.mkdirSync(folder, { recursive: true });
  spawnSync('git', ['init', '-q', '--bare', folder]);
  const feed = async (input: NodeJS.WritableStream, text: string | Buffer): Promise<void> => {
    if (!input.write(text)) await once(input, 'drain');
  };
  const head = (subject: string): string =>
    `commit refs/heads/main\ncommitter Bench <bench@localhost> ${Math.floor(Date.now() / 1000)} +0000\ndata ${subject.length}\n${subject}\n`;
  const file = async (input: NodeJS.WritableStream, i: number, content: Buffer): Promise<void> => {
    await feed(input, `M 100644 inline content/posts/${documents.slug(i)}.json\ndata ${content.length}\n`);
    await feed(input, content);
    await feed(input, '\n');
  };
  const run = async (write: (input: NodeJS.WritableStream) => Promise<void>): Promise<void> => {
    const git = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--force'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const closed = once(git, 'close');
    await write(git.stdin);
    git.stdin.end('done\n');
    const [code] = await closed;
    if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  };
  await run(async (input) => {
    await feed(input, head('plant'));
    for (let i = 0; i < count; i++) await file(input, i, documents.file(i));
  });
  const random = createRandom(3);
  const contents = Array.from({ length: PREPARED }, (_, i) => documents.file(i));
  let done = 0;
  const started = performance.now();
  await run(async (input) => {
    const until = performance.now() + seconds * 1000;
    for (; performance.now() < until; done++) {
      const from = done === 0 ? 'from refs/heads/main^0\n' : '';
      await feed(input, `${head('change')}${from}`);
      await file(input, Math.floor(random() * count), contents[done % PREPARED]!);
    }
  });
  return done / ((performance.now() - started) / 1000);
}

async function measureAck(dataDir: string, documents: BenchDocuments, count: number): Promise<number> {
  const cms = await createCms(BENCH_CONFIG, { dataDir });
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const found = cms.site.view.bySlug('posts', documents.slug(i % count))!;
    const { body } = documents.data(i);
    const started = performance.now();
    await cms.content.update('posts', found.id, { data: { body } });
    times.push(performance.now() - started);
  }
  await cms.close();
  return percentile(times, 0.5);
}

function measureSync(file: string): number {
  const fd = fs.openSync(file, 'w');
  const bytes = Buffer.alloc(2048, 'x');
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const started = performance.now();
    fs.writeSync(fd, bytes);
    fs.fdatasyncSync(fd);
    times.push(performance.now() - started);
  }
  fs.closeSync(fd);
  return percentile(times, 0.5);
}
