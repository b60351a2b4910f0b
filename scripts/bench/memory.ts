// The memory that the service uses, as Linux counts it: empty, after a start from nothing and from saved views, after a
// mixed load, a minute later, and under the limits of small servers. Compared with the bytes of the stored JSON.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { createDocuments, fileBatches, type Layout } from './documents.ts';
import { createMemoryGroup } from './memory-group.ts';
import { runMixedLoad } from './mixed-load.ts';
import { makePlace, removePlace } from './place.ts';
import { residentOf } from './resident.ts';
import { type Service, startService } from './service.ts';
import { type Bar, type BenchRow, toRow } from './table.ts';

const MB = 1e6;
const REST_MS = 60_000;
/** From this many documents on, the JSON is part of the limit. */
const LARGE = 100_000;
const SMALL_BAR_MB = 260;
const LARGE_BAR = { fixedMb: 150, times: 3 };
const LIMITS = new Map([
  [10_000, { limitMb: 512, isLoaded: true }],
  [LARGE, { limitMb: 1000, isLoaded: false }],
]);

export async function* memory(bench: Bench): AsyncGenerator<BenchRow> {
  yield* memoryOfEmpty(bench);
  for (const count of bench.counts) yield* memoryOf(bench, { count, sharded: false });
}

async function* memoryOfEmpty(bench: Bench): AsyncGenerator<BenchRow> {
  bench.progress('an empty site');
  const place = await makePlace(bench, 'memory-empty', { count: 0, sharded: false });
  const service = await startService(place);
  await delay(REST_MS);
  yield toMemoryRow('empty site, a minute after the start', service, 0, []);
  await service.kill();
  removePlace(place);
}

async function* memoryOf(bench: Bench, layout: Layout): AsyncGenerator<BenchRow> {
  const { count } = layout;
  const jsonMb = storedBytes(layout) / MB;
  const row = (when: string, service: Service, bars: readonly Bar[] = []): BenchRow =>
    toMemoryRow(`${count} documents, ${when}`, service, jsonMb, bars);
  const bars = barsOf(count, jsonMb);

  const place = await makePlace(bench, 'memory', layout);
  bench.progress(`${count} documents from nothing`);
  fs.rmSync(place.indexFolder, { recursive: true });
  let service = await startService(place);
  yield row('started from nothing', service);
  await searchOnce(service);
  yield row('and indexed', service);
  await delay(REST_MS);
  yield row('a minute later', service, bars);
  await service.kill();

  removePlace(place);
  const again = await makePlace(bench, 'memory', layout);
  bench.progress(`${count} documents from saved views`);
  service = await startService(again);
  yield row('started from saved views', service);
  await delay(REST_MS);
  yield row('a minute later', service, bars);
  bench.progress(`${count} documents under load`);
  await runMixedLoad(service, count);
  yield row('after reads, searches and 8 s of writes', service);
  await delay(REST_MS);
  yield row('a minute later', service, bars);
  await service.kill();
  removePlace(again);

  const limit = LIMITS.get(count);
  if (limit) yield await underLimit(bench, layout, limit);
}

/** Starts from nothing. If no group can be made, the peak has to stay below the limit. */
async function underLimit(
  bench: Bench,
  layout: Layout,
  { limitMb, isLoaded }: { limitMb: number; isLoaded: boolean },
): Promise<BenchRow> {
  bench.progress(`${layout.count} documents within ${limitMb} MB`);
  const place = await makePlace(bench, 'memory-limit', layout);
  fs.rmSync(place.indexFolder, { recursive: true });
  const group = createMemoryGroup(limitMb * MB);
  let peakMb = Number.POSITIVE_INFINITY;
  let note = group ? 'in a control group' : 'no control group could be made';
  try {
    const service = await startService(place, { group });
    try {
      await searchOnce(service);
      if (isLoaded) await runMixedLoad(service, layout.count);
      peakMb = residentOf(service.pid).peakBytes / MB;
    } finally {
      await service.kill();
    }
  } catch (error) {
    note += `: ${(error as Error).message}`;
  }
  group?.remove();
  removePlace(place);
  return toRow({
    figure: `${layout.count} documents from nothing${isLoaded ? ' and the load' : ''}, peak`,
    unit: 'MB',
    values: [peakMb],
    reference: 'limit',
    references: [limitMb],
    bars: [{ atMost: 1 }],
    note,
  });
}

function toMemoryRow(figure: string, { pid }: Service, jsonMb: number, bars: readonly Bar[]): BenchRow {
  const { bytes, peakBytes, shareBytes, processes } = residentOf(pid);
  return toRow({
    figure,
    unit: 'MB',
    values: [bytes / MB],
    reference: 'stored JSON',
    references: [jsonMb],
    bars,
    note: `peak ${(peakBytes / MB).toFixed(0)} MB, Pss ${(shareBytes / MB).toFixed(0)} MB, ${processes} processes`,
  });
}

function barsOf(count: number, jsonMb: number): readonly Bar[] {
  if (count === LARGE) return [{ of: 'figure', atMost: Math.round(LARGE_BAR.fixedMb + LARGE_BAR.times * jsonMb) }];
  return count <= 10_000 ? [{ of: 'figure', atMost: SMALL_BAR_MB }] : [];
}

/** Waits until everything is indexed. */
async function searchOnce({ url, headers }: Service): Promise<void> {
  const answer = await fetch(`${url}/api/search?q=the`, { headers });
  if (!answer.ok) throw new Error(`search: ${answer.status}`);
}

function storedBytes(layout: Layout): number {
  let sum = 0;
  for (const files of fileBatches(createDocuments(), layout)) for (const { content } of files) sum += content!.length;
  return sum;
}
