// What every part of the benchmark gets, and its shape: a generator that yields a row as soon as it and its reference
// have been measured.
import type { Bar, BenchRow } from './table.ts';

export interface Bench {
  /** For data folders; on a disk whose fsync costs something. */
  folder: string;
  /** Sizes of the collections, ascending. */
  counts: readonly number[];
  /** Length of one timed run. */
  seconds: number;
  /** How often each figure and its reference are measured, alternately; medians are shown. */
  repeats: number;
  /** Reports what is being done, for people who watch. */
  progress(text: string): void;
}

export type BenchPart = (bench: Bench) => AsyncGenerator<BenchRow>;

/** Measures several things alternately, so that other load on the machine affects all of them alike. */
export async function alternate<K extends string>(
  bench: Bench,
  measures: Record<K, () => number | Promise<number>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(measures) as K[];
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>;
  for (let round = 0; round < bench.repeats; round++) {
    for (const name of names) {
      bench.progress(`${name}, run ${round + 1} of ${bench.repeats}`);
      found[name].push(await measures[name]());
    }
  }
  return found;
}

/** Most bars are set for collections of this size; for other sizes the figure is shown without a bar. */
export const BAR_DOCUMENTS = 100_000;

export function barsAt(count: number, ...bars: readonly Bar[]): readonly Bar[] {
  return count === BAR_DOCUMENTS ? bars : [];
}
