// Many growing lists of 32-bit numbers in shared pages: the postings of every word, the words of every letter pair.
// A list is a chain of blocks of 2, 4, 8 ... 2048 entries, the first of which points to the next block. Nothing is ever
// moved by an append, so there is no merge and no pause; numbers in a list are in no particular order.
import { grown } from './arrays.ts';
import type { Part, Parts } from './snapshot.ts';

const PAGE_BITS = 16;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
const LARGEST_CLASS = 11;
/** Under this length a loop is faster than making a view for `set`. */
const COPY_BY_VIEW = 64;

export interface Lists {
  /** Makes an empty list; their numbers are 0, 1, 2 ... */
  create(): number;
  size(): number;
  count(list: number): number;
  push(list: number, value: number): void;
  /** Copies a list into `out` (at least `count` long) and tells how many. */
  read(list: number, out: Uint32Array): number;
  /** Drops the values whose mark is `mark`: `marks[value >>> shift] === mark`. */
  drop(list: number, marks: Uint8Array, shift: number, mark: number): void;
  bytes(): number;
  /** As of now, however late it is read; `drop` must not be called until it has been. */
  capture(name: string): Part[];
}

export function createLists(from?: { parts: Parts; name: string }): Lists {
  const stored = (key: string) => from?.parts.get(`${from.name}.${key}`);
  const numbers = (key: string) => new Uint32Array(stored(key)?.slice().buffer ?? new ArrayBuffer(0));
  let heads = numbers('heads');
  let tails = numbers('tails');
  let counts = numbers('counts');
  let used = new Uint16Array(stored('used')?.slice().buffer ?? new ArrayBuffer(0));
  let classes = new Uint8Array(stored('classes')?.slice().buffer ?? new ArrayBuffer(0));
  let size = heads.length;
  const pages: Uint32Array<ArrayBuffer>[] = [];
  const free: number[][] = Array.from({ length: LARGEST_CLASS + 1 }, (_, i) => [...numbers(`free${i}`)]);
  // Address 0 stands for "no block", so the first block starts behind it.
  let top = numbers('top')[0] ?? 2;
  const bytes = stored('pages');
  for (let at = 0; bytes && at < bytes.length; at += PAGE_SIZE * 4) {
    pages.push(new Uint32Array(bytes.buffer, bytes.byteOffset + at, PAGE_SIZE));
  }

  function allocate(blockClass: number): number {
    const recycled = free[blockClass]!.pop();
    if (recycled !== undefined) return recycled;
    const length = 1 << blockClass;
    const room = PAGE_SIZE - (top & PAGE_MASK);
    if (length > room) {
      // The rest of the page is handed out as smaller blocks; blocks have even lengths, so nothing is left over.
      for (let rest = room, piece = blockClass - 1; piece >= 1; piece--) {
        for (; rest >= 1 << piece; rest -= 1 << piece, top += 1 << piece) free[piece]!.push(top);
      }
    }
    if (top >>> PAGE_BITS >= pages.length) pages.push(new Uint32Array(PAGE_SIZE));
    const address = top;
    top += length;
    return address;
  }

  function push(list: number, value: number): void {
    let blockClass = classes[list]!;
    if (counts[list] === 0) {
      const address = allocate(1);
      heads[list] = tails[list] = address;
      classes[list] = blockClass = 1;
      used[list] = 0;
    } else if (used[list] === (1 << blockClass) - 1) {
      if (blockClass < LARGEST_CLASS) blockClass++;
      const address = allocate(blockClass);
      const tail = tails[list]!;
      pages[tail >>> PAGE_BITS]![tail & PAGE_MASK] = address;
      tails[list] = address;
      classes[list] = blockClass;
      used[list] = 0;
    }
    const address = tails[list]!;
    const place = ++used[list]!;
    pages[address >>> PAGE_BITS]![(address & PAGE_MASK) + place] = value;
    counts[list]!++;
  }

  function read(list: number, out: Uint32Array): number {
    const count = counts[list]!;
    let address = heads[list]!;
    let blockClass = 1;
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
      if (blockClass < LARGEST_CLASS) blockClass++;
    }
    return count;
  }

  function release(address: number, blockClass: number, last: number): void {
    let at = address;
    for (let current = blockClass; ; current = Math.min(current + 1, LARGEST_CLASS)) {
      const next = pages[at >>> PAGE_BITS]![at & PAGE_MASK]!;
      free[current]!.push(at);
      if (at === last) return;
      at = next;
    }
  }

  /** What is kept moves forward inside the chain; blocks that end up empty are free again. */
  function drop(list: number, marks: Uint8Array, shift: number, mark: number): void {
    const count = counts[list]!;
    if (count === 0) return;
    const last = tails[list]!;
    let from = heads[list]!;
    let fromClass = 1;
    let to = from;
    let toClass = 1;
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
          if (toClass < LARGEST_CLASS) toClass++;
          place = 0;
        }
        pages[to >>> PAGE_BITS]![(to & PAGE_MASK) + ++place] = value;
        kept++;
      }
      done += length;
      from = page[start]!;
      if (fromClass < LARGEST_CLASS) fromClass++;
    }
    counts[list] = kept;
    if (kept === 0) {
      release(heads[list]!, 1, last);
      return;
    }
    if (to !== last) {
      const next = pages[to >>> PAGE_BITS]![to & PAGE_MASK]!;
      release(next, Math.min(toClass + 1, LARGEST_CLASS), last);
    }
    tails[list] = to;
    classes[list] = toClass;
    used[list] = place;
  }

  return {
    create() {
      heads = grown(heads, size + 1);
      tails = grown(tails, size + 1);
      counts = grown(counts, size + 1);
      used = grown(used, size + 1);
      classes = grown(classes, size + 1);
      counts[size] = 0;
      return size++;
    },
    size: () => size,
    count: (list) => counts[list]!,
    push,
    read,
    drop,
    bytes: () => pages.length * PAGE_SIZE * 4 + heads.length * 15,
    capture(name) {
      const pagesNow = pages.slice();
      const part = (key: string, array: Uint8Array | Uint16Array | Uint32Array): Part => ({
        name: `${name}.${key}`,
        pieces: [array.slice()],
      });
      return [
        part('heads', heads.subarray(0, size)),
        part('tails', tails.subarray(0, size)),
        part('counts', counts.subarray(0, size)),
        part('used', used.subarray(0, size)),
        part('classes', classes.subarray(0, size)),
        part('top', Uint32Array.of(top)),
        ...free.map((blocks, i) => part(`free${i}`, Uint32Array.from(blocks))),
        { name: `${name}.pages`, pieces: pagesNow },
      ];
    },
  };
}
