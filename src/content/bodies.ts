// The memory that rows' bodies lie in: slabs of many bodies each. A body with memory of its own is a small piece among
// pieces that come and go, and the C library gives nothing back that lies between two of them. A slab that has become half
// empty is left by the bodies that are still in it. Bytes that were written once never change.
import type { Row } from './view.ts';

export interface Bodies {
  /** Moves a new row's body into a slab. */
  keep(row: Row): void;
  /** Counts a row in whose body is part of something larger already. */
  adopt(row: Row): void;
  /** The row is not shown any more. */
  release(row: Row): void;
}

interface Slab {
  rows: Set<Row>;
  liveBytes: number;
}

/** Large enough for the C library to give each one back by itself (src/cli/lean.ts). */
const SLAB_BYTES = 256 << 10;
/** A longer body has memory of its own. */
const LONG_BYTES = SLAB_BYTES / 8;

export function createBodies(): Bodies {
  const slabs = new Map<ArrayBufferLike, Slab>();
  let open = new ArrayBuffer(0);
  let end = 0;

  function keep(row: Row): void {
    const { length } = row.body;
    if (length > LONG_BYTES) return;
    if (end + length > open.byteLength) {
      const full = open;
      open = new ArrayBuffer(SLAB_BYTES);
      end = 0;
      leaveIfHalfEmpty(full);
    }
    const body = Buffer.from(open, end, length);
    row.body.copy(body);
    row.body = body;
    end += length;
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

  function leaveIfHalfEmpty(buffer: ArrayBufferLike): void {
    const slab = slabs.get(buffer);
    if (!slab || buffer === open || slab.liveBytes > buffer.byteLength / 2) return;
    slabs.delete(buffer);
    for (const row of slab.rows) keep(row);
  }

  return {
    keep,
    adopt(row) {
      const { buffer, length } = row.body;
      if (length === buffer.byteLength) return;
      if (length <= LONG_BYTES) return add(row);
      const body = Buffer.allocUnsafeSlow(length);
      row.body.copy(body);
      row.body = body;
    },
    release(row) {
      if (row.isAsleep) return;
      const { buffer, length } = row.body;
      const slab = slabs.get(buffer);
      if (!slab?.rows.delete(row)) return;
      slab.liveBytes -= length;
      leaveIfHalfEmpty(buffer);
    },
  };
}
