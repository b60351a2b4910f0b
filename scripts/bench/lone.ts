// What a lone change costs the disk: one write a second, as an editor makes them, and everything that the service
// writes meanwhile, as the kernel counts it (write_bytes of /proc/<pid>/io). The floor is a copy of the folder's tree.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { createCms } from '../../src/cms.ts';
import type { Bench } from './bench.ts';
import { configOf, createDocuments } from './documents.ts';
import { makePlace, type Place, removePlace } from './place.ts';
import { type Service, startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';

const BAR = 1.1;
/** Partly filled pages: the write-ahead log, index, guard and ref of a pack, and merged packs now and then. */
const PAGES_BYTES = 32 << 10;
const MAX_DOCUMENTS = 10_000;
/** Packs are merged every 32 changes. */
const SECONDS_FACTOR = 10;

export async function* lone(bench: Bench): AsyncGenerator<BenchRow> {
  if (process.platform !== 'linux') return;
  for (const count of bench.counts.filter((documents) => documents <= MAX_DOCUMENTS)) {
    const place = await makePlace(bench, 'lone', { count, sharded: false });
    const tree = await treeBytes(place);
    const changes = Math.max(66, bench.seconds * SECONDS_FACTOR);
    bench.progress(`${changes} changes, one a second, ${count} documents`);
    const service = await startService(place);
    await change(service, 0, 3);
    const before = writtenBy(service);
    await change(service, 3, changes);
    const written = writtenBy(service) - before;
    await service.kill();
    yield toRow({
      figure: `written for a lone change, ${count} documents`,
      unit: 'bytes',
      values: [written / changes],
      reference: "the folder's tree, deflated, and 32 KiB",
      references: [tree + PAGES_BYTES],
      bars: [{ atMost: BAR }],
      note: `${changes} changes, one a second; the tree takes ${tree} bytes`,
    });
    removePlace(place);
  }
}

async function change(service: Service, from: number, count: number): Promise<void> {
  const documents = createDocuments();
  for (let i = from; i < from + count; i++) {
    const next = delay(1000);
    const reply = await fetch(`${service.url}/api/cms/posts/${documents.slug(i)}`, {
      method: 'PATCH',
      headers: { ...service.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: `Changed ${i}` } }),
    });
    if (reply.status !== 200) throw new Error(`a change was answered with ${reply.status}`);
    await reply.arrayBuffer();
    await next;
  }
}

function writtenBy({ pid }: Service): number {
  return Number(/^write_bytes: (\d+)/m.exec(fs.readFileSync(`/proc/${pid}/io`, 'latin1'))![1]);
}

async function treeBytes(place: Place): Promise<number> {
  const cms = await createCms(configOf(place), { dataDir: place.dataDir });
  const { odb, log, treeOf } = cms.site.store;
  let tree = odb.get(treeOf(log.status().head!), 'tree');
  for (const name of ['content', 'posts']) {
    const at = tree.indexOf(`40000 ${name}\0`) + `40000 ${name}\0`.length;
    tree = odb.get(tree.toString('hex', at, at + 20), 'tree');
  }
  await cms.close();
  return deflateSync(tree).length;
}
