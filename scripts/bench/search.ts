// The text index against a linear scan of the same folded texts in memory, measured in the same run.
// `node --expose-gc scripts/bench/search.ts [documents]`; 100,000 of about 2 KB take some 15 s and 1.5 GB.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fold } from '../../src/search/fold.ts';
import { createTextIndex, loadTextIndex, type SearchEntry, type TextIndex } from '../../src/search/text-index.ts';

const SEED = 20_260_731;
const VOCABULARY = 60_000;
const WORDS_PER_DOCUMENT = 290;

type Random = () => number;

/** mulberry32: small, seeded, good enough for texts. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CONSONANTS = [
  'b',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'qu',
  'r',
  's',
  'sh',
  'st',
  't',
  'th',
  'tr',
  'v',
  'w',
  'x',
  'z',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'é'];
const ENDINGS = ['', '', '', 'n', 'r', 's', 't', 'ng', 'nd', 'l'];

function makeVocabulary(random: Random): string[] {
  const pick = (from: string[]): string => from[Math.floor(random() * from.length)]!;
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    // Common words are short ones.
    const syllables = 1 + Math.floor(random() * (1 + Math.min(3, words.size / 300)));
    let word = '';
    for (let i = 0; i < syllables; i++) word += pick(CONSONANTS) + pick(VOWELS) + pick(ENDINGS);
    words.add(word);
  }
  return [...words];
}

function makeTexts(random: Random, vocabulary: string[]) {
  // Zipf's law with exponent 1: rank r is used in proportion to 1/r.
  const weights = new Float64Array(vocabulary.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) weights[i] = sum += 1 / (i + 1);
  const rankOf = (at: number): number => {
    let low = 0;
    for (let high = weights.length - 1; low < high; ) {
      const middle = (low + high) >>> 1;
      if (weights[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const word = (): string => vocabulary[rankOf(random() * sum)]!;
  const sentences = (words: number): string => {
    let text = '';
    for (let i = 0; i < words; i++) text += word() + (random() < 0.08 ? '. ' : random() < 0.05 ? ', ' : ' ');
    return text.trimEnd();
  };
  return { word, sentences };
}

function quantile(sorted: number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

function row(name: string, ...cells: string[]): void {
  console.log(`| ${name.padEnd(34)} | ${cells.map((cell) => cell.padStart(12)).join(' | ')} |`);
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 3 : 1)} ms`;

async function timeQueries(index: TextIndex, queries: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const q of queries) {
    const start = performance.now();
    await index.query({ q, limit: 50, offset: 0 });
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

function timeScans(texts: string[], queries: string[]): number[] {
  const times: number[] = [];
  for (const q of queries) {
    const terms = fold(q).split(' ');
    const start = performance.now();
    let total = 0;
    for (const text of texts) if (terms.every((term) => text.includes(term))) total++;
    times.push(performance.now() - start + total * 0);
  }
  return times.sort((a, b) => a - b);
}

export async function searchBench(documents = 100_000): Promise<void> {
  const random = createRandom(SEED);
  const vocabulary = makeVocabulary(random);
  const { word, sentences } = makeTexts(random, vocabulary);
  const makeEntry = (i: number): SearchEntry => ({
    key: `k${i.toString(36).padStart(11, '0')}`,
    slug: `post-${i}`,
    title: sentences(6),
    texts: [sentences(WORDS_PER_DOCUMENT), word(), `2026-07-${(i % 28) + 1}`],
    collection: i % 4 ? 'posts' : 'pages',
    status: i % 5 ? 'published' : 'draft',
    time: i,
  });
  const entries = Array.from({ length: documents }, (_, i) => makeEntry(i));
  const jsonBytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0);
  const texts = entries.map(({ slug, title, texts }) => fold([slug, title, ...texts].join('\n')));
  console.log(`${documents} documents, ${(jsonBytes / documents).toFixed(0)} bytes each, seed ${SEED}`);

  let index = createTextIndex();
  let start = performance.now();
  let longestPutMs = 0;
  for (const entry of entries) {
    const putAt = performance.now();
    index.put(entry);
    longestPutMs = Math.max(longestPutMs, performance.now() - putAt);
  }
  row('build from nothing', ms(performance.now() - start), `longest ${ms(longestPutMs)}`);
  const { bytes, words } = index.stats();
  row('memory per byte of JSON', (bytes / jsonBytes).toFixed(2), `${words} words`);

  const some = (n: number, make: () => string): string[] => Array.from({ length: n }, make);
  const rare = (): string => vocabulary[20_000 + Math.floor(random() * 40_000)]!;
  const common = (): string => vocabulary[Math.floor(random() * 30)]!;
  const part = (length: number) => (): string => {
    for (;;) {
      const whole = word();
      const at = Math.floor(random() * (whole.length - length + 1));
      if (whole.length >= length) return whole.slice(at, at + length);
    }
  };
  const several = (n: number, make: () => string) => (): string => some(n, make).join(' ');
  const kinds: [string, () => string][] = [
    ['1 term of the text', word],
    ['2 terms of the text', several(2, word)],
    ['3 terms of the text', several(3, word)],
    ['1 rare term', rare],
    ['3 rare terms', several(3, rare)],
    ['1 of the 30 commonest', common],
    ['3 of the 30 commonest', several(3, common)],
    ['rare and common', () => `${rare()} ${common()}`],
    ['part of a word, 4 letters', part(4)],
    ['3 parts of words, 3 letters', several(3, part(3))],
    ['2 letters', part(2)],
    ['3 times 2 letters', several(3, part(2))],
    ['1 letter', part(1)],
    ['3 times 1 letter', several(3, part(1))],
    ['a word and its full stop', () => `${word()}.`],
    ['nowhere', () => `${rare()}zzz`],
  ];
  await timeQueries(
    index,
    kinds.flatMap(([, make]) => some(30, make)),
  );
  row('query', 'p50', 'p99', 'scan p50', 'scan/index');
  for (const [name, make] of kinds) {
    const times = await timeQueries(index, some(300, make));
    const scans = timeScans(texts, some(8, make));
    const [fast, slow, scan] = [quantile(times, 0.5), quantile(times, 0.99), quantile(scans, 0.5)];
    row(name, ms(fast), ms(slow), ms(scan), `${(scan / fast).toFixed(0)} x`);
  }

  // The texts would be most of what the garbage collector stops for.
  entries.length = texts.length = 0;
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const updates: number[] = [];
  for (let i = 0; i < documents; i++) {
    const entry = makeEntry(Math.floor(random() * documents));
    start = performance.now();
    index.put(entry);
    updates.push(performance.now() - start);
    if (i % 20 === 0) {
      void index.query({ q: `${word()} ${word()}`, limit: 50, offset: 0 });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  delay.disable();
  updates.sort((a, b) => a - b);
  row('update', ms(quantile(updates, 0.5)), ms(quantile(updates, 0.99)), `longest ${ms(updates.at(-1) ?? 0)}`);
  row('longest stall of 20 updates and 1 query', ms(delay.max / 1e6));
  row('memory after as many updates', (index.stats().bytes / jsonBytes).toFixed(2));

  start = performance.now();
  const saving = index.save();
  row('snapshot: capture', ms(performance.now() - start));
  const pieces: Buffer[] = [];
  let longestPieceMs = 0;
  for (let at = performance.now(), next = saving.next(); !next.done; at = performance.now(), next = saving.next()) {
    pieces.push(next.value);
    longestPieceMs = Math.max(longestPieceMs, performance.now() - at);
  }
  const file = Buffer.concat(pieces);
  row('snapshot: write', ms(performance.now() - start), `${(file.length / 1e6).toFixed(0)} MB`);
  start = performance.now();
  const loaded = loadTextIndex(file);
  row('snapshot: load', ms(performance.now() - start));
  if (!loaded) throw new Error('the snapshot was not recognised');
  index = loaded;
  const after = await timeQueries(index, some(300, several(2, word)));
  row('2 terms after loading', ms(quantile(after, 0.5)), ms(quantile(after, 0.99)));
}

if (import.meta.main) await searchBench(Number(process.argv[2] ?? 100_000));
