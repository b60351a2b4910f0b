// Selects one page of a long unordered list without ordering the rest: time grows with the number of entries, whatever
// the offset.

/** By entry: the highest score comes first, among equal scores the latest time. */
export interface EntryRanks {
  scores: Float32Array;
  times: Float64Array;
}

/** Orders two entries with equal score and time; never 0 for two different entries. */
type EntryOrder = (a: number, b: number) => number;

/** Moves entries so that the first `count` of `entries[from..to)` are those that come first, themselves in no order. */
function split(entries: Uint32Array, from: number, to: number, count: number, order: EntryOrder): void {
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

function median(entries: Uint32Array, low: number, high: number, order: EntryOrder): number {
  const a = entries[low]!;
  const b = entries[(low + high) >>> 1]!;
  const c = entries[high]!;
  if (order(a, b) < 0) return order(b, c) < 0 ? b : order(a, c) < 0 ? c : a;
  return order(a, c) < 0 ? a : order(b, c) < 0 ? c : b;
}

/** A shorter list is split without sifting. */
const WORTH_SIFTING = 1024;
const SAMPLE = 256;

/**
 * Leaves out entries that are surely not among the first `count`. A sample estimates the entry at about twice that
 * rank; one pass drops what comes after it. Returns the new length.
 */
function sift(entries: Uint32Array, length: number, count: number, { scores, times }: EntryRanks): number {
  if (length < WORTH_SIFTING || count > length / 4) return length;
  const stride = length / SAMPLE;
  const sample = Uint32Array.from({ length: SAMPLE }, (_, i) => entries[Math.floor(i * stride)]!);
  sample.sort((a, b) => scores[b]! - scores[a]! || times[b]! - times[a]!);
  const last = sample[Math.min(SAMPLE - 1, Math.ceil((count / length) * SAMPLE * 2) + 4)]!;
  const least = scores[last]!;
  const oldest = times[last]!;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const entry = entries[i]!;
    const score = scores[entry]!;
    if (score < least || (score === least && times[entry]! < oldest)) continue;
    entries[i] = entries[kept]!;
    entries[kept++] = entry;
  }
  // If the sample was misleading nothing is lost: entries only changed places.
  return kept < count ? length : kept;
}

/** Entries `offset` to `offset + limit` of the first `count`, the best first. Reorders `entries`. */
export function selectPage(
  entries: Uint32Array,
  count: number,
  ranks: EntryRanks,
  { offset, limit }: { offset: number; limit: number },
  order: EntryOrder,
): number[] {
  const start = Math.min(offset, count);
  const end = Math.min(start + limit, count);
  if (start === end) return [];
  const { scores, times } = ranks;
  const byRank: EntryOrder = (a, b) => scores[b]! - scores[a]! || times[b]! - times[a]! || order(a, b);
  const length = sift(entries, count, end, ranks);
  split(entries, 0, length, end, byRank);
  split(entries, 0, end, start, byRank);
  return Array.from(entries.subarray(start, end)).sort(byRank);
}
