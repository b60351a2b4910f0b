// Values by due time, earliest first, and first in, first out within one moment. A binary heap.

interface DueItem<T> {
  atMs: number;
  order: number;
  value: T;
}

export class DueQueue<T> {
  #heap: DueItem<T>[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** When the first value is due; infinity if the queue is empty. */
  get firstMs(): number {
    return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  add(atMs: number, value: T): void {
    const heap = this.#heap;
    const item = { atMs, order: this.#order++, value };
    let at = heap.length;
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(item, heap[parent]!); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = item;
  }

  /** Removes and returns the first value if it is due. */
  next(nowMs: number): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.atMs > nowMs) return undefined;
    const last = heap.pop()!;
    if (heap.length === 0) return first.value;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first.value;
  }
}

function isBefore(a: DueItem<unknown>, b: DueItem<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
