// Git's delta format (gitformat-pack(5), "Deltified representation"): a list of copies from the base and of inserted
// bytes. Trees are stored as deltas of their edits, so a commit in a wide directory costs some dozen bytes.

/** A stretch of the target: copied from the base, or given. */
export type Piece = { at: number; length: number } | { bytes: Buffer };

/** A delta as the stretches of its target. */
export interface Pieces {
  readonly baseSize: number;
  readonly size: number;
  readonly pieces: readonly Piece[];
  /** Where each stretch starts in the target. */
  readonly starts: readonly number[];
}

const MAX_COPY = 0xffffff;
const MAX_INSERT = 0x7f;
/** An instruction byte, four of offset, three of length. */
const MAX_COPY_OP = 8;
/** Two sizes of seven bits a byte. */
const MAX_SIZES = 16;

export function lengthOf(piece: Piece): number {
  return 'bytes' in piece ? piece.bytes.length : piece.length;
}

/** Neighbours in the base become one. */
export function toPieces(baseSize: number, stretches: Iterable<Piece>): Pieces {
  const pieces: Piece[] = [];
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

/** What `encodeDelta` would take, at most. */
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
    // No length byte at all stands for 0x10000.
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
  const source = readSize(delta, 0);
  const result = readSize(delta, source.at);
  let { at } = result;
  const pieces: Piece[] = [];
  const starts: number[] = [];
  let done = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    starts.push(done);
    if (op & 0x80) {
      let offset = 0;
      let length = 0;
      for (let i = 0; i < 4; i++) if (op & (1 << i)) offset += delta[at++]! * 2 ** (8 * i);
      for (let i = 0; i < 3; i++) if (op & (0x10 << i)) length += delta[at++]! << (8 * i);
      if (length === 0) length = 0x10000;
      if (offset + length > source.size) throw new Error('delta copies past its base');
      pieces.push({ at: offset, length });
      done += length;
    } else if (op > 0) {
      pieces.push({ bytes: delta.subarray(at, at + op) });
      at += op;
      done += op;
    } else throw new Error('delta has an unknown instruction');
    if (at > delta.length) throw new Error('delta is cut short');
  }
  if (done !== result.size) throw new Error('delta does not make the size it says');
  return { baseSize: source.size, size: result.size, pieces, starts };
}

/** The result's size, from the first bytes of a delta. */
export function readTargetSize(start: Buffer): number {
  return readSize(start, readSize(start, 0).at).size;
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
  return applyPieces(base, parseDelta(delta));
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

/** From here on a chain of deltas is made one before it is applied. */
const COMPOSE_FROM_BYTES = 16_384;

/** Lowest first. Of a large tree, ten copies would be made on the way. */
export function applyDeltas(base: Buffer, deltas: readonly Buffer[]): Buffer {
  if (base.length < COMPOSE_FROM_BYTES) return deltas.reduce(applyDelta, base);
  const [first, ...rest] = deltas.map(parseDelta);
  return first ? applyPieces(base, rest.reduce(composeDeltas, first)) : base;
}

/** The upper one's target, made of the lower one's base: a chain of deltas becomes one. */
export function composeDeltas(lower: Pieces, upper: Pieces): Pieces {
  if (upper.baseSize !== lower.size) throw new Error('delta does not fit its base');
  return toPieces(lower.baseSize, composed(lower, upper));
}

function* composed(lower: Pieces, upper: Pieces): Generator<Piece> {
  for (const piece of upper.pieces) {
    if ('bytes' in piece) yield piece;
    else yield* stretchesOf(lower, piece.at, piece.length);
  }
}

/** What a range of the target is made of. */
export function* stretchesOf({ pieces, starts }: Pieces, from: number, length: number): Generator<Piece> {
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
