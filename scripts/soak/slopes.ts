// Whether a long life needs ever more resources: fits lines through the second half of the samples, and compares them
// with bars. Pure.
import type { Violation } from './history.ts';

export interface Sample {
  atMs: number;
  /** Commits made so far, in the whole run. */
  commits: number;
  rssBytes: number;
  /** Heap and buffers after a collection. */
  usedBytes: number;
  /** Without the one descriptor that each existing pack has. */
  descriptors: number;
  threads: number;
}

/** Fewer samples say nothing about a slope. */
const LEAST_SAMPLES = 8;
/** Memory is judged over at least this long: caches fill first. */
const LEAST_MEMORY_MS = 120_000;

/** By how much each may grow over the second half. */
const MOST_DESCRIPTORS = 12;
const MOST_THREADS = 3;
/**
 * Memory grows with the history: its index has a row for each commit, and keys are remembered for a day. A fixed part
 * beyond that is for caches and chance.
 */
const USED_BYTES_PER_COMMIT = 2048;
const USED_BYTES = 8 * 2 ** 20;
const RSS_BYTES_PER_COMMIT = 4096;
const RSS_BYTES = 32 * 2 ** 20;

/** Least squares: what `y` grows by from the first `x` to the last. */
export function growthOf(points: readonly { x: number; y: number }[]): number {
  if (points.length < 2) return 0;
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / (spread || 1);
  return slope * (points.at(-1)!.x - points[0]!.x);
}

export interface Growth {
  overMs: number;
  commits: number;
  rssBytes: number;
  usedBytes: number;
  descriptors: number;
  threads: number;
}

/** Slopes of the second half; undefined if there are too few samples. */
export function growth(samples: readonly Sample[]): Growth | undefined {
  const half = samples.slice(Math.floor(samples.length / 2));
  if (half.length < LEAST_SAMPLES) return undefined;
  const of = (key: 'rssBytes' | 'usedBytes' | 'descriptors' | 'threads'): number =>
    growthOf(half.map((sample) => ({ x: sample.atMs, y: sample[key] })));
  return {
    overMs: half.at(-1)!.atMs - half[0]!.atMs,
    commits: half.at(-1)!.commits - half[0]!.commits,
    rssBytes: of('rssBytes'),
    usedBytes: of('usedBytes'),
    descriptors: of('descriptors'),
    threads: of('threads'),
  };
}

export function checkSlopes(samples: readonly Sample[]): Violation[] {
  const grown = growth(samples);
  if (!grown) return [];
  const { overMs, commits, rssBytes, usedBytes, descriptors, threads } = grown;
  const violations: Violation[] = [];
  const hold = (what: string, value: number, most: number): void => {
    if (value <= most) return;
    const message = `${what} grew by ${Math.round(value)} in ${Math.round(overMs / 1000)} s and ${commits} commits; ${most} is the bar`;
    violations.push({ rule: 'slope', message, about: [] });
  };
  hold('descriptors', descriptors, MOST_DESCRIPTORS);
  hold('threads', threads, MOST_THREADS);
  if (overMs < LEAST_MEMORY_MS) return violations;
  hold('bytes in use', usedBytes, USED_BYTES + commits * USED_BYTES_PER_COMMIT);
  hold('resident bytes', rssBytes, RSS_BYTES + commits * RSS_BYTES_PER_COMMIT);
  return violations;
}

/** For the report of a run. */
export function toFigures(samples: readonly Sample[]): Record<string, number> | undefined {
  const grown = growth(samples);
  const last = samples.at(-1);
  if (!grown || !last) return undefined;
  const { overMs, commits, ...rest } = grown;
  const rounded = Object.fromEntries(Object.entries(rest).map(([key, value]) => [`${key}Grown`, Math.round(value)]));
  const { rssBytes, usedBytes, descriptors, threads } = last;
  return { seconds: Math.round(overMs / 1000), commits, ...rounded, rssBytes, usedBytes, descriptors, threads };
}
