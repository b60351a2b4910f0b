// One page of a long unordered list, without ordering the rest of it: time grows with the number of entries, whatever
// the offset is.

/** Says of two entries with equal scores which comes first; never 0 for two different ones. */
type Order = (a: number, b: number) => number;

/** Moves entries so that the first `count` of `entries[from..to)` are those that come first, in no order. */
function split(entries: Uint32Array, from: number, to: number, count: number, order: Order): void {
  let low = from;
  let high = to - 1;
  const target = from + count;
  while (low < high && target > low && target <= high) {
    const pivot = median(entries, low, high, order);
    let i = low;
    let j = high;
    while (i <= j) {
      while (order(entries[i]!, pivot) < 0) i++;
      while (order(entries[j]!, pivot) > 0) j--;
      if (i <= j) {
        const moved = entries[i]!;
        entries[i++] = entries[j]!;
        entries[j--] = moved;
      }
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else return;
  }
}

function median(entries: Uint32Array, low: number, high: number, order: Order): number {
  const a = entries[low]!;
  const b = entries[(low + high) >>> 1]!;
  const c = entries[high]!;
  if (order(a, b) < 0) return order(b, c) < 0 ? b : order(a, c) < 0 ? c : a;
  return order(a, c) < 0 ? a : order(b, c) < 0 ? c : b;
}

/** A shorter list is split at once. */
const WORTH_SIFTING = 1024;
const SAMPLE = 256;

/**
 * Leaves those out that are surely not among the first `count`: a sample tells the score that somewhat more than
 * `count` have, one pass takes what has it. Gives the new length.
 */
function sift(entries: Uint32Array, length: number, count: number, scores: Float32Array): number {
  if (length < WORTH_SIFTING || count > length / 4) return length;
  const sample = new Float32Array(SAMPLE);
  const stride = length / SAMPLE;
  for (let i = 0; i < SAMPLE; i++) sample[i] = scores[entries[Math.floor(i * stride)]!]!;
  sample.sort();
  const rank = Math.min(SAMPLE - 1, Math.ceil((count / length) * SAMPLE * 2) + 4);
  const least = sample[SAMPLE - 1 - rank]!;
  let kept = 0;
  for (let i = 0; i < length; i++) if (scores[entries[i]!]! >= least) kept++;
  if (kept < count) return length;
  kept = 0;
  for (let i = 0; i < length; i++) {
    const entry = entries[i]!;
    if (scores[entry]! < least) continue;
    entries[i] = entries[kept]!;
    entries[kept++] = entry;
  }
  return kept;
}

/**
 * Entries `offset` to `offset + limit` of the first `count`, the highest score first, equal ones by `order`. Moves the
 * others about.
 */
export function selectPage(
  entries: Uint32Array,
  count: number,
  scores: Float32Array,
  { offset, limit }: { offset: number; limit: number },
  order: Order,
): number[] {
  const start = Math.min(offset, count);
  const end = Math.min(start + limit, count);
  if (start === end) return [];
  const byScore: Order = (a, b) => (scores[a] === scores[b] ? order(a, b) : scores[b]! - scores[a]!);
  const length = sift(entries, count, end, scores);
  split(entries, 0, length, end, byScore);
  split(entries, 0, end, start, byScore);
  return Array.from(entries.subarray(start, end)).sort(byScore);
}
