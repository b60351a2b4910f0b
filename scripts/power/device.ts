// A block device that forgets: writes since the last flush are kept apart, and a power cut leaves any part of them,
// down to single sectors. In memory, sparse; uses no code of ours but this file and nbd-server.ts.
import type { Random } from '../../test/support/random.ts';

export const SECTOR_BYTES = 512;
/** Size of one piece of memory. */
const PAGE_BYTES = 64 * 1024;

export interface Device {
  readonly sizeBytes: number;
  /** Writes since the last flush. */
  readonly loose: number;
  /** How often it was flushed. */
  readonly flushes: number;
  read(position: number, length: number): Buffer;
  /** `isDurable`: this write, and no other, is on the disk when it returns (FUA). */
  write(position: number, bytes: Buffer, options?: { isDurable?: boolean }): void;
  /** Zeros a range; as uncertain as a write. */
  clear(position: number, length: number): void;
  /** Everything that was written before is durable. */
  flush(): void;
  /**
   * The content when the power comes back: everything that was flushed, and each other write whole, in part or not at
   * all, in any order. The device itself does not change.
   */
  cut(random: Random): { device: Device; kept: number; torn: number; lost: number };
}

interface Loose {
  position: number;
  bytes: Buffer;
}

type Pages = Map<number, Buffer>;

export function createDevice(sizeBytes: number, durable: Pages = new Map()): Device {
  /** As the machine sees it: the durable pages, and copies of those with unflushed writes on them. */
  const seen: Pages = new Map();
  let loose: Loose[] = [];
  let flushes = 0;

  function check(position: number, length: number): void {
    if (position < 0 || length < 0 || position + length > sizeBytes)
      throw new RangeError('beyond the end of the device');
  }

  function read(position: number, length: number): Buffer {
    check(position, length);
    const bytes = Buffer.alloc(length);
    eachPage(position, length, (number, from, to, at) => {
      (seen.get(number) ?? durable.get(number))?.copy(bytes, at, from, to);
    });
    return bytes;
  }

  function put(pages: Pages, { position, bytes }: Loose, blankOf: (number: number) => Buffer): void {
    eachPage(position, bytes.length, (number, from, to, at) => {
      let page = pages.get(number);
      if (!page) pages.set(number, (page = blankOf(number)));
      bytes.copy(page, from, at, at + (to - from));
    });
  }
  const putDurably = (one: Loose): void => put(durable, one, () => Buffer.alloc(PAGE_BYTES));

  function write(position: number, bytes: Buffer, { isDurable = false } = {}): void {
    check(position, bytes.length);
    const one = { position, bytes: Buffer.from(bytes) };
    put(seen, one, (number) => Buffer.from(durable.get(number) ?? Buffer.alloc(PAGE_BYTES)));
    if (!isDurable) {
      loose.push(one);
      return;
    }
    // Older bytes of the same place cannot overwrite it.
    for (const other of loose) if (isSamePlace(other, one)) putDurably(other);
    loose = loose.filter((other) => !isSamePlace(other, one));
    putDurably(one);
  }

  return {
    sizeBytes,
    get loose() {
      return loose.length;
    },
    get flushes() {
      return flushes;
    },
    read,
    write,
    clear: (position, length) => write(position, Buffer.alloc(length)),
    flush() {
      flushes++;
      for (const [number, page] of seen) durable.set(number, page);
      seen.clear();
      loose = [];
    },
    cut(random) {
      const pages: Pages = new Map([...durable].map(([number, page]) => [number, Buffer.from(page)]));
      const after = createDevice(sizeBytes, pages);
      const counts = { kept: 0, torn: 0, lost: 0 };
      // Some disks had nearly everything on the platter, some nearly nothing.
      const share = [0.1, 0.5, 0.9][random.whole(0, 2)]!;
      for (const one of shuffle(loose, random)) {
        const choice = random.next();
        if (choice >= share) counts.lost++;
        else if (choice < share * 0.8) {
          counts.kept++;
          after.write(one.position, one.bytes);
        } else {
          counts.torn++;
          for (const sector of sectorsOf(one)) if (random.next() < 0.5) after.write(sector.position, sector.bytes);
        }
      }
      after.flush();
      return { device: after, ...counts };
    },
  };
}

function sectorsOf({ position, bytes }: Loose): Loose[] {
  const sectors: Loose[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + SECTOR_BYTES - ((position + at) % SECTOR_BYTES));
    sectors.push({ position: position + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return sectors;
}

const isSamePlace = (a: Loose, b: Loose): boolean =>
  a.position < b.position + b.bytes.length && b.position < a.position + a.bytes.length;

/**
 * Writes of different places in any order. Two writes of the same place stay in order: a controller does not put older
 * bytes over newer ones.
 */
function shuffle(writes: readonly Loose[], random: Random): Loose[] {
  const keyed = writes.map((one, order) => ({ one, order, key: random.next() }));
  const shuffled = keyed.toSorted((a, b) => a.key - b.key);
  // If two overlap, the older one comes first.
  const sorted: typeof keyed = [];
  for (const next of shuffled) {
    const at = sorted.findIndex(({ one, order }) => order > next.order && isSamePlace(one, next.one));
    if (at < 0) sorted.push(next);
    else sorted.splice(at, 0, next);
  }
  return sorted.map(({ one }) => one);
}

function eachPage(
  position: number,
  length: number,
  run: (number: number, from: number, to: number, at: number) => void,
): void {
  for (let at = 0; at < length; ) {
    const number = Math.floor((position + at) / PAGE_BYTES);
    const from = (position + at) % PAGE_BYTES;
    const to = Math.min(PAGE_BYTES, from + length - at);
    run(number, from, to, at);
    at += to - from;
  }
}
