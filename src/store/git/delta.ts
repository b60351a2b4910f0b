// Git's delta format (gitformat-pack(5), "Deltified representation"): a list of copies from the base and of inserted
// bytes. Trees are stored as deltas of their edits, so a commit in a wide directory costs a few dozen bytes.

/** A stretch of the target: copied from the base, or literal bytes. */
export type DeltaPiece = { at: number; length: number } | { bytes: Buffer };

/** A delta as the stretches of its target. */
export interface Pieces {
  readonly baseSize: number;
  readonly size: number;
  readonly pieces: readonly DeltaPiece[];
  /** The start of each stretch in the target. */
  readonly starts: readonly number[];
}

const MAX_COPY = 0xffffff;
const MAX_INSERT = 0x7f;
/** An instruction byte, four of offset, three of length. */
const MAX_COPY_OP = 8;
/** Two sizes, with seven bits in each byte. */
const MAX_SIZES = 16;

export function lengthOf(piece: DeltaPiece): number {
  return 'bytes' in piece ? piece.bytes.length : piece.length;
}

/** Joins copies that are adjacent in the base. */
export function toPieces(baseSize: number, stretches: Iterable<DeltaPiece>): Pieces {
  const pieces: DeltaPiece[] = [];
  const starts: number[] = [];
  let size = 0;
  for (const piece of stretches) {
    const last = pieces.at(-1);
    if (last && 'at' in last && 'at' in piece && last.at + last.length === piece.at) {
      pieces[pieces.length - 1] = { at: last.at, length: last.length + piece.length };
    } else {
      pieces.push(piece);
      starts.push(size);
    }
    size += lengthOf(piece);
  }
  return { baseSize, size, pieces, starts };
}

/** The size of what `encodeDelta` returns, at most. */
export function deltaBytes({ pieces }: Pieces): number {
  let bytes = MAX_SIZES;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    bytes += 'bytes' in piece ? length + Math.ceil(length / MAX_INSERT) : MAX_COPY_OP * Math.ceil(length / MAX_COPY);
  }
  return bytes;
}

export function encodeDelta(delta: Pieces): Buffer {
  const { baseSize, size, pieces } = delta;
  const out = Buffer.allocUnsafe(deltaBytes(delta));
  let end = 0;
  for (let rest of [baseSize, size]) {
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) out[end++] = (rest % 128) | 0x80;
    out[end++] = rest;
  }
  for (const piece of pieces) end = 'bytes' in piece ? writeInsert(out, end, piece.bytes) : writeCopy(out, end, piece);
  return out.subarray(0, end);
}

function writeInsert(out: Buffer, start: number, bytes: Buffer): number {
  let end = start;
  for (let at = 0; at < bytes.length; at += MAX_INSERT) {
    const length = Math.min(MAX_INSERT, bytes.length - at);
    out[end++] = length;
    end += bytes.copy(out, end, at, at + length);
  }
  return end;
}

function writeCopy(out: Buffer, start: number, { at, length }: { at: number; length: number }): number {
  let end = start;
  for (let done = 0; done < length; ) {
    const part = Math.min(MAX_COPY, length - done);
    const offset = at + done;
    const opAt = end++;
    let op = 0x80;
    for (let i = 0; i < 4; i++) {
      const byte = Math.floor(offset / 2 ** (8 * i)) & 0xff;
      if (byte === 0) continue;
      op |= 1 << i;
      out[end++] = byte;
    }
    // A copy without a length byte means 0x10000.
    for (let i = 0; i < 3 && part !== 0x10000; i++) {
      const byte = (part >> (8 * i)) & 0xff;
      if (byte === 0) continue;
      op |= 0x10 << i;
      out[end++] = byte;
    }
    out[opAt] = op;
    done += part;
  }
  return end;
}

export function parseDelta(delta: Buffer): Pieces {
  const pieces: DeltaPiece[] = [];
  const starts: number[] = [];
  const { baseSize, size } = readSizes(delta);
  readInstructions(
    delta,
    (done, at, length) => {
      starts.push(done);
      pieces.push({ at, length });
    },
    (done, from, end) => {
      starts.push(done);
      pieces.push({ bytes: delta.subarray(from, end) });
    },
  );
  return { baseSize, size, pieces, starts };
}

/**
 * Reports each instruction with its place in the target; an insert's bytes are those of the delta from `from` to `end`.
 */
function readInstructions(
  delta: Buffer,
  onCopy: (done: number, at: number, length: number) => void,
  onInsert: (done: number, from: number, end: number) => void,
): void {
  const { baseSize, size, end: start } = readSizes(delta);
  let at = start;
  let done = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    if (op & 0x80) {
      let offset = 0;
      let length = 0;
      for (let i = 0; i < 4; i++) if (op & (1 << i)) offset += delta[at++]! * 2 ** (8 * i);
      for (let i = 0; i < 3; i++) if (op & (0x10 << i)) length += delta[at++]! << (8 * i);
      if (length === 0) length = 0x10000;
      if (!(offset + length <= baseSize)) throw new Error('delta copies past the end of its base');
      if (done + length > size) throw new Error('delta makes more bytes than its header says');
      onCopy(done, offset, length);
      done += length;
    } else if (op > 0) {
      if (at + op > delta.length) throw new Error('delta is cut short');
      if (done + op > size) throw new Error('delta makes more bytes than its header says');
      onInsert(done, at, at + op);
      at += op;
      done += op;
    } else throw new Error('delta has an unknown instruction');
  }
  if (done !== size) throw new Error('delta is cut short');
}

/** The result's size, from the first bytes of a delta. */
export function readTargetSize(start: Buffer): number {
  return readSizes(start).size;
}

function readSizes(delta: Buffer): { baseSize: number; size: number; end: number } {
  const base = readSize(delta, 0);
  const target = readSize(delta, base.at);
  return { baseSize: base.size, size: target.size, end: target.at };
}

function readSize(delta: Buffer, start: number): { size: number; at: number } {
  let size = 0;
  let shift = 1;
  for (let at = start; ; ) {
    const byte = delta[at++];
    if (byte === undefined) throw new Error('delta is cut short');
    size += (byte & 0x7f) * shift;
    if (byte < 0x80) return { size, at };
    shift *= 128;
  }
}

export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const { baseSize, size } = readSizes(delta);
  if (baseSize !== base.length) throw new Error('delta does not fit its base');
  const target = Buffer.allocUnsafeSlow(size);
  readInstructions(
    delta,
    (done, at, length) => void base.copy(target, done, at, at + length),
    (done, from, end) => void delta.copy(target, done, from, end),
  );
  return target;
}

export function applyPieces(base: Buffer, { baseSize, size, pieces }: Pieces): Buffer {
  if (baseSize !== base.length) throw new Error('delta does not fit its base');
  const target = Buffer.allocUnsafeSlow(size);
  let done = 0;
  for (const piece of pieces) {
    if ('bytes' in piece) done += piece.bytes.copy(target, done);
    else done += base.copy(target, done, piece.at, piece.at + piece.length);
  }
  return target;
}

/** For a base of this size or more, applying each delta of a chain in turn would copy too much. */
const LARGE_BYTES = 1 << 20;
/** Deltas are combined while their bytes are less than this share of the base. */
const FEW_BYTES = 1 / 32;
/** Overlapping copies multiply, and a foreign delta may be crafted to exploit that. */
const MANY_PIECES = 1000;

/**
 * Lowest delta first. Combines a chain of small changes to a large tree from the top, so that the tree is copied once.
 */
export function applyDeltas(base: Buffer, deltas: readonly Buffer[]): Buffer {
  let left = deltas.length;
  let chain: Pieces | undefined;
  if (base.length >= LARGE_BYTES) {
    let bytes = 0;
    for (; left > 0; left--) {
      bytes += deltas[left - 1]!.length;
      if (bytes > base.length * FEW_BYTES) break;
      const lower = parseDelta(deltas[left - 1]!);
      if (chain && Math.min(chain.pieces.length, lower.pieces.length) > MANY_PIECES) break;
      chain = chain ? composeDeltas(lower, chain) : lower;
    }
  }
  const target = deltas.slice(0, left).reduce(applyDelta, base);
  return chain ? applyPieces(target, chain) : target;
}

/** The delta from the lower one's base to the upper one's target: two deltas of a chain become one. */
export function composeDeltas(lower: Pieces, upper: Pieces): Pieces {
  if (upper.baseSize !== lower.size) throw new Error('delta does not fit its base');
  return toPieces(lower.baseSize, composed(lower, upper));
}

function* composed(lower: Pieces, upper: Pieces): Generator<DeltaPiece> {
  for (const piece of upper.pieces) {
    if ('bytes' in piece) yield piece;
    else yield* stretchesOf(lower, piece.at, piece.length);
  }
}

/** The stretches that make up a range of the target. */
export function* stretchesOf({ pieces, starts }: Pieces, from: number, length: number): Generator<DeltaPiece> {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= from) low = middle + 1;
    else high = middle;
  }
  const end = from + length;
  for (let i = low - 1, at = from; at < end; i++) {
    const piece = pieces[i];
    if (!piece) throw new Error('range is not within the delta');
    const skip = at - starts[i]!;
    const part = Math.min(lengthOf(piece) - skip, end - at);
    yield 'bytes' in piece ? { bytes: piece.bytes.subarray(skip, skip + part) } : { at: piece.at + skip, length: part };
    at += part;
  }
}
