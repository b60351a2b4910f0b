// Many growing lists of 32-bit numbers in shared pages: the postings of every word, the words of every gram.
// A list is a chain of blocks of 2, 4, 8 ... 2048 entries, the first of which points to the next block. An append moves
// nothing, so there is no merge and no pause; numbers in a list are in no particular order.
import { grown } from './arrays.ts';
import { numbersOf, type SavedPart, type SavedParts } from './index-file.ts';

const PAGE_BITS = 16;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
/** The fields of a list's record are adjacent, so that an append costs one cache miss. */
const HEAD = 0;
const TAIL = 1;
const COUNT = 2;
/** Entries in the last block, and its class. */
const USED = 3;
const CLASS = 4;
const RECORD = 5;
/** A block's class is the binary logarithm of its length. Each block costs a reader of the list a cache miss. */
const SMALLEST_CLASS = 1;
const LARGEST_CLASS = 11;
const CLASS_STEP = 1;
/** Below this length a loop is faster than making a view for `set`. */
const COPY_BY_VIEW = 64;

export interface PostingLists {
  /** Makes an empty list; lists are numbered 0, 1, 2 ... */
  create(): number;
  size(): number;
  count(list: number): number;
  push(list: number, value: number): void;
  /** Copies a list into `out` (at least `count` long) and returns its count. */
  read(list: number, out: Uint32Array): number;
  /** Drops the values whose mark is `mark`: `marks[value >>> shift] === mark`. */
  drop(list: number, marks: Uint8Array, shift: number, mark: number): void;
  bytes(): number;
  /** The lists as they are now, however late the parts are read; until then `drop` must not be called. */
  capture(name: string): SavedPart[];
}

/**
 * One function, because appending, reading and dropping walk the same pages and records, which are replaced as they
 * grow. They run for every word of a text, so they need direct access.
 */
export function createLists(from?: { parts: SavedParts; name: string }): PostingLists {
  const numbers = (key: string) => numbersOf(from?.parts, `${from?.name}.${key}`);
  let records = numbers('records');
  let size = records.length / RECORD;
  const pages: Uint32Array<ArrayBuffer>[] = [];
  const free: number[][] = Array.from({ length: LARGEST_CLASS + 1 }, (_, i) => [...numbers(`free${i}`)]);
  // Address 0 stands for "no block", so the first block starts after it.
  let top = numbers('top')[0] ?? 2;
  const stored = numbers('pages');
  for (let at = 0; at < stored.length; at += PAGE_SIZE) pages.push(stored.subarray(at, at + PAGE_SIZE));

  function allocate(blockClass: number): number {
    const recycled = free[blockClass]!.pop();
    if (recycled !== undefined) return recycled;
    const length = 1 << blockClass;
    const space = PAGE_SIZE - (top & PAGE_MASK);
    if (length > space) {
      // The rest of the page is handed out as smaller blocks; blocks have even lengths, so nothing is left over.
      for (let rest = space, piece = blockClass - CLASS_STEP; piece >= SMALLEST_CLASS; piece -= CLASS_STEP) {
        for (; rest >= 1 << piece; rest -= 1 << piece, top += 1 << piece) free[piece]!.push(top);
      }
    }
    if (top >>> PAGE_BITS >= pages.length) pages.push(new Uint32Array(PAGE_SIZE));
    const address = top;
    top += length;
    return address;
  }

  function push(list: number, value: number): void {
    const record = list * RECORD;
    let blockClass = records[record + CLASS]!;
    if (records[record + COUNT] === 0) {
      blockClass = SMALLEST_CLASS;
      const address = allocate(blockClass);
      records[record + HEAD] = records[record + TAIL] = address;
      records[record + CLASS] = blockClass;
      records[record + USED] = 0;
    } else if (records[record + USED] === (1 << blockClass) - 1) {
      if (blockClass < LARGEST_CLASS) blockClass += CLASS_STEP;
      const address = allocate(blockClass);
      const tail = records[record + TAIL]!;
      pages[tail >>> PAGE_BITS]![tail & PAGE_MASK] = address;
      records[record + TAIL] = address;
      records[record + CLASS] = blockClass;
      records[record + USED] = 0;
    }
    const address = records[record + TAIL]!;
    const place = ++records[record + USED]!;
    pages[address >>> PAGE_BITS]![(address & PAGE_MASK) + place] = value;
    records[record + COUNT]!++;
  }

  function read(list: number, out: Uint32Array): number {
    const count = records[list * RECORD + COUNT]!;
    let address = records[list * RECORD + HEAD]!;
    let blockClass = SMALLEST_CLASS;
    for (let done = 0; done < count; ) {
      const page = pages[address >>> PAGE_BITS]!;
      const start = address & PAGE_MASK;
      const length = Math.min((1 << blockClass) - 1, count - done);
      if (length < COPY_BY_VIEW) for (let i = 1; i <= length; i++) out[done++] = page[start + i]!;
      else {
        out.set(page.subarray(start + 1, start + 1 + length), done);
        done += length;
      }
      address = page[start]!;
      if (blockClass < LARGEST_CLASS) blockClass += CLASS_STEP;
    }
    return count;
  }

  function release(address: number, blockClass: number, last: number): void {
    let at = address;
    for (let current = blockClass; ; current = Math.min(current + CLASS_STEP, LARGEST_CLASS)) {
      const next = pages[at >>> PAGE_BITS]![at & PAGE_MASK]!;
      free[current]!.push(at);
      if (at === last) return;
      at = next;
    }
  }

  /** Remaining values move forward in the chain; blocks that become empty are freed. */
  function drop(list: number, marks: Uint8Array, shift: number, mark: number): void {
    const record = list * RECORD;
    const count = records[record + COUNT]!;
    if (count === 0) return;
    const head = records[record + HEAD]!;
    const last = records[record + TAIL]!;
    let from = head;
    let fromClass = SMALLEST_CLASS;
    let to = head;
    let toClass = SMALLEST_CLASS;
    let place = 0;
    let kept = 0;
    for (let done = 0; done < count; ) {
      const page = pages[from >>> PAGE_BITS]!;
      const start = from & PAGE_MASK;
      const length = Math.min((1 << fromClass) - 1, count - done);
      for (let i = 1; i <= length; i++) {
        const value = page[start + i]!;
        if (marks[value >>> shift] === mark) continue;
        if (place === (1 << toClass) - 1) {
          to = pages[to >>> PAGE_BITS]![to & PAGE_MASK]!;
          if (toClass < LARGEST_CLASS) toClass += CLASS_STEP;
          place = 0;
        }
        pages[to >>> PAGE_BITS]![(to & PAGE_MASK) + ++place] = value;
        kept++;
      }
      done += length;
      from = page[start]!;
      if (fromClass < LARGEST_CLASS) fromClass += CLASS_STEP;
    }
    records[record + COUNT] = kept;
    if (kept === 0) {
      release(head, SMALLEST_CLASS, last);
      return;
    }
    if (to !== last) {
      const next = pages[to >>> PAGE_BITS]![to & PAGE_MASK]!;
      release(next, Math.min(toClass + CLASS_STEP, LARGEST_CLASS), last);
    }
    records[record + TAIL] = to;
    records[record + CLASS] = toClass;
    records[record + USED] = place;
  }

  return {
    create() {
      records = grown(records, (size + 1) * RECORD);
      records[size * RECORD + COUNT] = 0;
      return size++;
    },
    size: () => size,
    count: (list) => records[list * RECORD + COUNT]!,
    push,
    read,
    drop,
    bytes: () => pages.length * PAGE_SIZE * 4 + records.byteLength,
    capture(name) {
      const part = (key: string, array: Uint32Array): SavedPart => ({ name: `${name}.${key}`, pieces: [array] });
      return [
        part('records', records.slice(0, size * RECORD)),
        part('top', Uint32Array.of(top)),
        ...free.map((blocks, i) => part(`free${i}`, new Uint32Array(blocks))),
        { name: `${name}.pages`, pieces: pages.slice() },
      ];
    },
  };
}
