// Sorts long lists in steps of well under a millisecond, so that 100,000 entries do not hold up the event loop.

const RUN = 256;

/** Returns a new list; stable. `step` is the number of entries between two yields while runs are merged. */
export function* sortInSteps<T>(
  entries: readonly T[],
  compare: (a: T, b: T) => number,
  step: number,
): Generator<void, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < entries.length; at += RUN) {
    runs.push(entries.slice(at, at + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const left = runs[at]!;
      const right = runs[at + 1] ?? [];
      const merged: T[] = [];
      for (let l = 0, r = 0; l < left.length || r < right.length; ) {
        const isLeft = r >= right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
        merged.push(isLeft ? left[l++]! : right[r++]!);
        if (merged.length % step === 0) yield;
      }
      longer.push(merged);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}
