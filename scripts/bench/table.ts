// A result: a figure, the reference that was measured in the same run, and whether its bar is met.

/** What the ratio (or, if it says so, the figure itself) has to reach; `aim` is the wish. */
export interface Bar {
  of?: 'figure';
  atLeast?: number;
  atMost?: number;
  aim?: number;
}

export interface BenchRow {
  figure: string;
  unit: string;
  /** Medians; the runs are in `samples`. */
  value: number;
  reference: string;
  referenceValue: number;
  /** value / reference. */
  ratio: number;
  bars: readonly Bar[];
  /** Undefined if there is no bar. */
  met: boolean | undefined;
  samples: { values: readonly number[]; references: readonly number[] };
  /** Further facts for a reader who doubts the figure. */
  note?: string;
}

export interface RowInput {
  figure: string;
  unit: string;
  values: readonly number[];
  reference: string;
  references: readonly number[];
  bars?: readonly Bar[];
  note?: string;
}

export function toRow({ figure, unit, values, reference, references, bars = [], note }: RowInput): BenchRow {
  const value = median(values);
  const referenceValue = median(references);
  const ratio = value / referenceValue;
  const met = bars.length ? bars.every((bar) => isMet(bar, bar.of === 'figure' ? value : ratio)) : undefined;
  const samples = { values, references };
  return { figure, unit, value, reference, referenceValue, ratio, bars, met, samples, ...(note ? { note } : {}) };
}

function isMet({ atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Bar, found: number): boolean {
  return found >= atLeast && found <= atMost;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const WIDTHS = [58, 19, 36, 9, 8, 30, 3];
const HEADINGS = ['figure', 'measured', 'reference', 'reference', 'ratio', 'bar', 'met'];

export function printHead(): void {
  console.log(line(HEADINGS));
  console.log(line(WIDTHS.map((width) => '-'.repeat(width))));
}

export function printRow({ figure, unit, value, reference, referenceValue, ratio, bars, met }: BenchRow): void {
  const verdict = met === undefined ? '' : met ? 'yes' : 'NO';
  const cells = [figure, `${number(value)} ${unit}`, reference, number(referenceValue), `${number(ratio)}x`];
  console.log(line([...cells, bars.map((bar) => sentence(bar, unit)).join(', '), verdict]));
}

function sentence({ of, atLeast, atMost }: Bar, unit: string): string {
  const suffix = of === 'figure' ? ` ${unit}` : 'x';
  return atLeast === undefined ? `at most ${atMost}${suffix}` : `at least ${atLeast}${suffix}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell, i) => (i % 2 === 0 ? cell.padEnd(WIDTHS[i]!) : cell.padStart(WIDTHS[i]!))).join(' | ')} |`;
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
