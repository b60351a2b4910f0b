// Memory of a site's views per document, without and with the search index, compared with the bytes of the stored JSON.
// Heap and buffers after a full collection, in a separate process, minus what it had before.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseConfig } from '../../src/config/parse.ts';
import { createClaims } from '../../src/content/from-git/claims.ts';
import { applyTreeChanges } from '../../src/content/from-git/load.ts';
import { createContentView } from '../../src/content/rows/view.ts';
import { warmOrders } from '../../src/content/rows/warm.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { createIndexThread } from '../../src/search/index-thread.ts';
import { openSite } from '../../src/sites/open-site.ts';
import { openStore } from '../../src/store/store.ts';
import { type Bench, barsAt } from './bench.ts';
import { configOf, createDocuments, fileBatches, type Layout } from './documents.ts';
import { makePlace, type Place, removePlace } from './place.ts';
import { type BenchRow, toRow } from './table.ts';

const WITHOUT_SEARCH_BAR = 1.7;
const WITH_SEARCH_BAR = 3;

type What = 'views' | 'site';

interface Measured {
  bytes: number;
  rssBytes: number;
}

export async function* heap(bench: Bench): AsyncGenerator<BenchRow> {
  const layout = { count: bench.counts.at(-1)!, sharded: false };
  const place = await makePlace(bench, 'heap', layout);
  // Loaded from saved views, bodies are parts of one buffer; this measures what grows with use.
  fs.rmSync(place.indexFolder, { recursive: true });
  const stored = storedBytes(layout) / layout.count;
  for (const [what, figure, atMost] of [
    ['views', 'memory without search', WITHOUT_SEARCH_BAR],
    ['site', 'memory with search', WITH_SEARCH_BAR],
  ] as const) {
    bench.progress(figure);
    const { bytes, rssBytes } = await measureElsewhere(place, what);
    yield toRow({
      figure: `${figure}, ${layout.count} documents`,
      unit: 'bytes/document',
      values: [bytes / layout.count],
      reference: 'stored JSON',
      references: [stored],
      bars: barsAt(layout.count, { atMost }),
      note: `resident set ${(rssBytes / layout.count).toFixed(0)} bytes/document`,
    });
  }
  removePlace(place);
}

function storedBytes(layout: Layout): number {
  let sum = 0;
  for (const files of fileBatches(createDocuments(), layout)) for (const { content } of files) sum += content!.length;
  return sum;
}

async function measureElsewhere(place: Place, what: What): Promise<Measured> {
  const child = fork(new URL(import.meta.url), [what, JSON.stringify(place)], { execArgv: ['--expose-gc'] });
  const [measured] = await once(child, 'message');
  child.kill('SIGKILL');
  return measured as Measured;
}

async function measureHere(what: What, place: Place): Promise<Measured> {
  const before = await used();
  const kept = what === 'views' ? await openViews(place) : await openAll(place);
  const after = await used();
  if (!kept) throw new Error('unreachable: keeps it alive');
  return { bytes: after.bytes - before.bytes, rssBytes: after.rssBytes - before.rssBytes };
}

/** Caches for further reads of the repository are dropped within this time. */
const MOMENTS_MS = 11_000;

/** The text index of so many documents is in a thread; garbage that the thread has not collected counts as used. */
const indexThread = createIndexThread();

async function used(): Promise<Measured> {
  await delay(MOMENTS_MS);
  // Buffers that one collection frees are counted only by the next.
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const worker = indexThread.worker();
  worker?.ref(); // or the process ends before it answers
  const elsewhere = await worker?.getHeapStatistics();
  const bytesElsewhere = elsewhere ? elsewhere.used_heap_size + elsewhere.external_memory : 0;
  return { bytes: heapUsed + external + bytesElsewhere, rssBytes: rss };
}

/** As open-site.ts puts them together. */
async function openViews(place: Place): Promise<object> {
  const store = openStore({ folder: path.join(place.dataDir, 'sites', 'default') });
  const head = store.openedAt!;
  const view = createContentView(compileSite(parseConfig(configOf(place))), head);
  const parts = {
    view,
    odb: store.odb,
    warnings: new Map(),
    claims: createClaims(),
    has: () => true,
    warn: () => undefined,
  };
  applyTreeChanges(parts, null, { commit: head, tree: store.treeOf(head) }, head);
  await warmOrders(view, new AbortController().signal);
  return { store, view };
}

async function openAll(place: Place): Promise<object> {
  const site = await openSite({
    id: 'default',
    org: 'default',
    config: parseConfig(configOf(place)),
    folder: path.join(place.dataDir, 'sites', 'default'),
    indexThread,
  });
  await site.search.search({ q: 'nowhere' }); // indexed, from here on
  await warmOrders(site.view, new AbortController().signal);
  return site;
}

if (import.meta.main) process.send?.(await measureHere(process.argv[2] as What, JSON.parse(process.argv[3]!)));
