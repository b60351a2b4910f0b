// The memory of rows' bodies: slabs of many bodies each. A body with memory of its own would be a small piece among
// pieces that come and go, and the C library gives back nothing that lies between two pieces in use. Once a quarter of
// a slab is unused, its remaining bodies move to another one. Bytes that were written once never change.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Row } from './row.ts';

export interface BodyChanges {
  /** Rows that are no longer shown. */
  removed: readonly Row[];
  put: readonly Row[];
  /** Rows that the rows in `put` replace. */
  replaced: readonly Row[];
}

export interface Bodies {
  /** Moves new rows' bodies into slabs; a packed body stays where it is. Moves many of them later, in slices. */
  change(changes: BodyChanges): void;
  /** Counts a row whose body is part of a larger buffer already. */
  adopt(row: Row): void;
  /** Once all rows are adopted: empties the buffers that few of them use, one in each step. */
  settle(): Generator<void>;
}

interface Slab {
  rows: Set<Row>;
  liveBytes: number;
}

/** Large enough for the C library to give each one back by itself (src/cli/lean.ts). */
const SLAB_BYTES = 256 << 10;
/**
 * A slab that is less full is emptied: so bodies use a sixth more than their length, and a write moves a few of them.
 */
const FULL_ENOUGH = 0.75;
/** A change of this many rows is handled in slices. */
const MANY = 1000;
/** A longer body has memory of its own. */
const LONG_BYTES = SLAB_BYTES / 8;

/** Packs bodies one after another into slabs; a body that is in a slab already, or is long, stays where it is. */
export function createBodyPacker(): (row: Row) => void {
  const space = createSpace();
  return (row) => {
    if (!row.isAsleep && row.body.length <= LONG_BYTES && !isPacked(row.body)) row.body = space.copy(row.body);
  };
}

function isPacked({ buffer, length }: Buffer): boolean {
  return buffer.byteLength === SLAB_BYTES && length < SLAB_BYTES;
}

/** The slab that is being filled. */
function createSpace() {
  let open = new ArrayBuffer(0);
  let end = 0;
  return {
    isOpen: (buffer: ArrayBufferLike): boolean => buffer === open,
    /** Calls `onFull` with a slab once nothing more will be put into it. */
    copy(bytes: Buffer, onFull?: (slab: ArrayBuffer) => void): Buffer {
      const { length } = bytes;
      if (end + length > open.byteLength) {
        const full = open;
        open = new ArrayBuffer(SLAB_BYTES);
        end = 0;
        onFull?.(full);
      }
      // Bodies that `onFull` moved out of the full slab may have used up the new one.
      if (end + length > open.byteLength) return this.copy(bytes, onFull);
      const copy = Buffer.from(open, end, length);
      bytes.copy(copy);
      end += length;
      return copy;
    },
  };
}

export function createBodies(): Bodies {
  const slabs = new Map<ArrayBufferLike, Slab>();
  const waiting: BodyChanges[] = [];
  const space = createSpace();

  function move(row: Row): void {
    row.body = space.copy(row.body, leaveIfSparse);
    add(row);
  }

  function add(row: Row): void {
    const { buffer, length } = row.body;
    let slab = slabs.get(buffer);
    if (!slab) slabs.set(buffer, (slab = { rows: new Set(), liveBytes: 0 }));
    if (slab.rows.has(row)) return;
    slab.rows.add(row);
    slab.liveBytes += length;
  }

  function leaveIfSparse(buffer: ArrayBufferLike): void {
    const slab = slabs.get(buffer);
    if (!slab || space.isOpen(buffer) || slab.liveBytes >= buffer.byteLength * FULL_ENOUGH) return;
    slabs.delete(buffer);
    for (const row of slab.rows) move(row);
  }

  function keep(row: Row): void {
    if (row.body.length > LONG_BYTES) return;
    if (isPacked(row.body)) add(row);
    else move(row);
  }

  function drop(row: Row, left: Set<ArrayBufferLike>): void {
    if (row.isAsleep) return;
    const { buffer, length } = row.body;
    const slab = slabs.get(buffer);
    if (!slab?.rows.delete(row)) return;
    slab.liveBytes -= length;
    left.add(buffer);
  }

  function* steps({ removed, put, replaced }: BodyChanges): Generator<void> {
    const left = new Set<ArrayBufferLike>();
    for (const row of removed) yield drop(row, left);
    for (const row of put) yield keep(row);
    for (const row of replaced) yield drop(row, left);
    // Only after all drops, so that a body which is about to be dropped does not move first.
    for (const buffer of left) yield leaveIfSparse(buffer);
  }

  /**
   * Starts in the next turn, because showing so many rows was long enough for this one. Later changes wait their turn.
   */
  async function handleWaiting(): Promise<void> {
    await nextTurn();
    const breathe = createBreathe();
    for (let changes = waiting[0]; changes; changes = waiting[0]) {
      for (const _ of steps(changes)) await breathe();
      waiting.shift();
    }
  }

  return {
    change(changes) {
      const { removed, put, replaced } = changes;
      if (waiting.length > 0) waiting.push(changes);
      else if (removed.length + put.length + replaced.length < MANY) for (const _ of steps(changes));
      else if (waiting.push(changes)) void handleWaiting();
    },
    adopt(row) {
      const { buffer, length } = row.body;
      if (length === buffer.byteLength) return;
      if (length <= LONG_BYTES) return add(row);
      const body = Buffer.allocUnsafeSlow(length);
      row.body.copy(body);
      row.body = body;
    },
    *settle() {
      for (const buffer of [...slabs.keys()]) {
        leaveIfSparse(buffer);
        yield;
      }
    },
  };
}
