// What the service takes of the machine's memory, as Linux counts it: coarse, so that a change that doubles it is seen.
// `npm run bench -- memory` has the figures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../src/store/store.ts';
import { eventually, makePlace, type Place, setUp } from '../support/process.ts';

const DOCUMENTS = 5000;
const WRITES = 3000;
const BAR_MB = 280;
const LONGEST_MS = 25_000;
const WORDS = Array.from({ length: 3000 }, (_, i) => `w${((i * 7919) % 3001).toString(36)}`);

const textOf = (i: number): string =>
  Array.from({ length: 350 }, (_, n) => WORDS[(i * 31 + n * n) % WORDS.length]).join(' ');

/** As its files, and without an index. */
async function plant({ dataDir }: Place): Promise<void> {
  const store = openStore({ folder: join(dataDir, 'sites', 'default') });
  const files = Array.from({ length: DOCUMENTS }, (_, i) => {
    const at = new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString();
    const head = { id: `A${String(i).padStart(11, '0')}`, slug: `doc-${i}`, collection: 'posts', status: 'published' };
    const doc = { ...head, createdAt: at, updatedAt: at, data: { title: `Document ${i}`, body: textOf(i) } };
    return { path: `content/posts/doc-${i}.json`, content: Buffer.from(`${JSON.stringify(doc, null, 2)}\n`) };
  });
  const author = { name: 'Ada', email: 'ada@example.org' };
  const nothing = (): void => undefined;
  const draft = { files, author, at: Date.now(), subject: 'content: plant', trailers: ['Event: content.imported'] };
  await store.log.append({ ...draft, apply: nothing, undo: nothing }).durable;
  await store.close();
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1000;

test('five thousand documents, searched and rewritten, fit into a small server, and memory is given back after', async () => {
  await using place = makePlace();
  await plant(place);
  const service = await place.start();
  const client = service.client(await setUp(service));
  assert.is((await client.get('/api/search?q=w1')).status, 200);
  let next = 0;
  const write = async (): Promise<void> => {
    for (let n = next++; n < WRITES; n = next++) {
      const { status } = await client.patch(`/api/cms/posts/doc-${(n * 7) % DOCUMENTS}`, { data: { body: textOf(n) } });
      assert.is(status, 200);
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
  await eventually(() => assert.ok(residentMb(service.pid) < BAR_MB, `${residentMb(service.pid)} MB`), LONGEST_MS);
});

test('the process that was started is the one that serves', async () => {
  await using place = makePlace();
  const service = await place.start();
  const args = readFileSync(`/proc/${service.pid}/cmdline`, 'latin1').split('\0');
  assert.ok(args.some((arg) => arg.startsWith('--max-semi-space-size')));
  assert.is((await service.stop()).code, 0);
});

test('what an operator says of the same settings stays', async () => {
  await using place = makePlace();
  const service = await place.start({ NODE_OPTIONS: '--max-semi-space-size=16' });
  const args = readFileSync(`/proc/${service.pid}/cmdline`, 'latin1').split('\0');
  assert.not.ok(args.some((arg) => arg.startsWith('--max-semi-space-size')));
});

test.run();
