// The text index compared with a linear scan of the same folded texts in memory: queries, the cost of a write, and how
// long it blocks the event loop meanwhile. Measures the index alone, as its thread runs it, without the cost of
// crossing to the thread. Runs in a separate process: the texts would dominate garbage collection.
import { fork } from 'node:child_process';
import { on } from 'node:events';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { fold } from '../../src/search/engine/fold.ts';
import { createTextIndex, type TextIndex } from '../../src/search/engine/text-index.ts';
import { type Bench, barsAt } from './bench.ts';
import { createSearchTexts, type SearchTexts } from './search-texts.ts';
import { type BenchRow, median, percentile, toRow } from './table.ts';

const P50_BAR_MS = 2;
const P99_BAR_MS = 25;
const SCAN_BAR = 1 / 50;
const UPDATE_BAR_MS = 0.3;
const STALL_BAR_MS = 20;
const QUERIES = 400;
const SCANS = 12;
const UPDATES = 20_000;
const UPDATES_IN_A_TURN = 20;

export async function* search(bench: Bench): AsyncGenerator<BenchRow> {
  const count = bench.counts.at(-1)!;
  const child = fork(new URL(import.meta.url), [String(count)]);
  const ended = (): void => void child.emit('error', new Error('the search benchmark ended'));
  child.once('exit', ended);
  for await (const [message] of on(child, 'message')) {
    if (message === 'done') break;
    if (typeof message === 'string') bench.progress(message);
    else yield message as BenchRow;
  }
  child.off('exit', ended);
  child.kill('SIGKILL');
}

function kindsOf({ word, rareWord, commonWord, part }: SearchTexts): [string, () => string][] {
  let turn = 0;
  const several = (n: number, make: () => string): string => Array.from({ length: n }, make).join(' ');
  /** One to three of them. */
  const some = (make: () => string): string => several(1 + (turn++ % 3), make);
  return [
    ['1 to 3 terms of the texts', () => some(word)],
    ['1 to 3 rare terms', () => some(rareWord)],
    ['1 to 3 of the 30 commonest terms', () => some(commonWord)],
    ['1 to 3 parts of words, 3 or 4 letters', () => some(() => part(3 + (turn % 2)))],
    ['1 to 3 terms of 2 letters', () => some(() => part(2))],
    ['1 to 3 terms of 1 letter', () => some(() => part(1))],
    ['a word and its full stop', () => `${word()}.`],
    ['a word that is nowhere', () => `${rareWord()}zzz`],
  ];
}

async function timeQueries(index: TextIndex, queries: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const q of queries) {
    const started = performance.now();
    await index.query({ q, limit: 50, offset: 0 });
    times.push(performance.now() - started);
  }
  return times;
}

function timeScans(texts: string[], queries: string[]): number[] {
  return queries.map((q) => {
    const terms = fold(q).split(' ');
    const started = performance.now();
    const found = texts.filter((text) => terms.every((term) => text.includes(term)));
    return performance.now() - started + found.length * 0;
  });
}

async function* measureHere(count: number): AsyncGenerator<BenchRow | string> {
  const texts = createSearchTexts();
  const index = createTextIndex();
  const folded: string[] = [];
  yield `index ${count} texts`;
  for (let i = 0; i < count; i++) {
    const entry = texts.entry(i);
    index.put(entry);
    folded.push(fold([entry.slug, entry.title, ...entry.texts].join('\n')));
  }
  const kinds = kindsOf(texts);
  const make = (n: number, one: () => string): string[] => Array.from({ length: n }, one);
  for (const [, one] of kinds) await timeQueries(index, make(50, one));
  for (const [kind, one] of kinds) {
    yield kind;
    const scans: number[] = [];
    const times: number[] = [];
    // Alternately, so that other load on the machine affects both.
    for (let round = 0; round < SCANS; round++) {
      times.push(...(await timeQueries(index, make(QUERIES / SCANS, one))));
      scans.push(...timeScans(folded, make(1, one)));
    }
    const reference = { unit: 'ms', reference: 'linear scan in memory, p50', references: scans };
    yield toRow({
      figure: `search, ${kind}, p50`,
      values: times,
      ...reference,
      bars: barsAt(count, { of: 'figure', atMost: P50_BAR_MS }, { atMost: SCAN_BAR }),
    });
    yield toRow({
      figure: `search, ${kind}, p99`,
      values: [percentile(times, 0.99)],
      ...reference,
      bars: barsAt(count, { of: 'figure', atMost: P99_BAR_MS }),
    });
  }

  yield 'updates';
  const scan = timeScans(folded, make(3, texts.word));
  folded.length = 0;
  globalThis.gc?.();
  const updates: number[] = [];
  const stalls: number[] = [];
  const idleStalls: number[] = [];
  const updateCount = Math.min(UPDATES, count);
  for (let done = 0; done < updateCount; done += UPDATES_IN_A_TURN) {
    const entries = Array.from({ length: UPDATES_IN_A_TURN }, () => texts.entry(Math.floor(texts.random() * count)));
    const turnMs = await timeTurn(stalls, () => {
      for (const entry of entries) {
        const started = performance.now();
        index.put(entry);
        updates.push(performance.now() - started);
      }
      void index.query({ q: `${texts.word()} ${texts.word()}`, limit: 50, offset: 0 });
    });
    // Other load on the machine makes an empty turn of the same length late, too.
    await timeTurn(idleStalls, () => {
      for (const until = performance.now() + Math.min(turnMs, median(stalls.slice(-9))); performance.now() < until; );
    });
  }
  const reference = { unit: 'ms', reference: 'linear scan in memory, p50', references: scan };
  yield toRow({
    figure: 'search, index work of a write, p50',
    values: updates,
    ...reference,
    bars: barsAt(count, { of: 'figure', atMost: UPDATE_BAR_MS }),
  });
  for (const [name, share] of [
    ['p99', 0.99],
    ['longest', 1],
  ] as const) {
    yield toRow({
      figure: `search, stall of ${UPDATES_IN_A_TURN} writes and a query, ${name}`,
      unit: 'ms',
      values: [percentile(stalls, share)],
      reference: 'a turn as long that does nothing',
      references: [percentile(idleStalls, share)],
      bars: barsAt(count, { of: 'figure', atMost: STALL_BAR_MS }),
    });
  }
}

/** Runs something and adds how long the event loop had no turn. */
async function timeTurn(stalls: number[], run: () => void): Promise<number> {
  await nextTurn();
  const started = performance.now();
  run();
  await nextTurn();
  const took = performance.now() - started;
  stalls.push(took);
  return took;
}

if (import.meta.main) {
  for await (const found of measureHere(Number(process.argv[2]))) process.send?.(found);
  process.send?.('done');
}
