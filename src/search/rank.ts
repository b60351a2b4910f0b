// One page of a long unordered list, without ordering the rest of it: time grows with the number of entries, whatever
// the offset is.

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

/** Entries `offset` to `offset + limit` of the first `count`, in order; moves the others about. `order` never says 0. */
export function selectPage(entries: Uint32Array, count: number, offset: number, limit: number, order: Order): number[] {
  const start = Math.min(offset, count);
  const end = Math.min(start + limit, count);
  if (start === end) return [];
  split(entries, 0, count, end, order);
  split(entries, 0, end, start, order);
  return Array.from(entries.subarray(start, end)).sort(order);
}
