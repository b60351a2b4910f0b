// What a benchmark found: a figure, the reference that was measured beside it in the same run, and their ratio.

export interface BenchRow {
  figure: string;
  value: number;
  unit: string;
  reference: string;
  referenceValue: number;
  /** value / reference. */
  ratio: number;
}

export function toRow(
  figure: string,
  value: number,
  unit: string,
  reference: string,
  referenceValue: number,
): BenchRow {
  return { figure, value, unit, reference, referenceValue, ratio: value / referenceValue };
}

export function printRow(row: BenchRow): void {
  const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  console.log(
    `${row.figure.padEnd(52)} ${number(row.value).padStart(9)} ${row.unit.padEnd(8)} ${row.reference.padEnd(36)} ${number(row.referenceValue).padStart(9)}  ${row.ratio.toFixed(2)}x`,
  );
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
