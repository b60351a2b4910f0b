// Git's delta format (gitformat-pack(5), "Deltified representation"): a list of copies from the base and of inserted
// bytes. Trees are stored as deltas of their edits, so a commit in a wide directory costs some dozen bytes.
import type { TreeEdit } from './tree.ts';

/** A stretch of the target: copied from the base, or given. */
type Piece = { at: number; length: number } | { bytes: Buffer };

const MAX_COPY = 0xffffff;
const MAX_INSERT = 0x7f;
/** An instruction byte, four of offset, three of length. */
const MAX_COPY_OP = 8;
/** Two sizes of seven bits a byte. */
const MAX_SIZES = 16;

/** The edits made to a base, in order, as the pieces of the result. */
export class PieceTable {
  readonly baseSize: number;
  size: number;
  #pieces: Piece[];
  #insertedBytes = 0;

  constructor(baseSize: number) {
    this.baseSize = baseSize;
    this.size = baseSize;
    this.#pieces = baseSize ? [{ at: 0, length: baseSize }] : [];
  }

  /** What `toDelta` would take, at most. */
  get deltaBytes(): number {
    const copies = this.#pieces.length + Math.ceil(this.baseSize / MAX_COPY);
    return MAX_SIZES + copies * MAX_COPY_OP + this.#insertedBytes + Math.ceil(this.#insertedBytes / MAX_INSERT);
  }

  apply(edit: TreeEdit): void {
    const from = this.#splitAt(edit.at);
    const to = this.#splitAt(edit.at + edit.removed.length);
    const insert: Piece[] = edit.inserted.length ? [{ bytes: edit.inserted }] : [];
    for (const piece of this.#pieces.splice(from, to - from, ...insert)) {
      if ('bytes' in piece) this.#insertedBytes -= piece.bytes.length;
    }
    this.#insertedBytes += edit.inserted.length;
    this.size += edit.inserted.length - edit.removed.length;
  }

  /** The index of the piece that starts at `offset` of the target, after splitting the one around it. */
  #splitAt(offset: number): number {
    let position = 0;
    for (let i = 0; i < this.#pieces.length; i++) {
      const piece = this.#pieces[i]!;
      const length = lengthOf(piece);
      if (position === offset) return i;
      if (offset < position + length) {
        this.#pieces.splice(i, 1, ...cut(piece, offset - position));
        return i + 1;
      }
      position += length;
    }
    return this.#pieces.length;
  }

  toDelta(): Buffer {
    const out = createDelta(this.deltaBytes, this.baseSize, this.size);
    for (const piece of this.#pieces) {
      if ('bytes' in piece) out.insert(piece.bytes);
      else out.copy(piece.at, piece.length);
    }
    return out.bytes();
  }
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
  const source = readSize(delta, 0);
  if (source.size !== base.length) throw new Error('delta does not fit its base');
  const result = readSize(delta, source.at);
  let { at } = result;
  const target = Buffer.allocUnsafeSlow(result.size);
  let done = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    if (op & 0x80) {
      let offset = 0;
      let length = 0;
      for (let i = 0; i < 4; i++) if (op & (1 << i)) offset += delta[at++]! * 2 ** (8 * i);
      for (let i = 0; i < 3; i++) if (op & (0x10 << i)) length += delta[at++]! << (8 * i);
      if (length === 0) length = 0x10000;
      if (offset + length > base.length) throw new Error('delta copies past its base');
      base.copy(target, done, offset, offset + length);
      done += length;
    } else if (op > 0) {
      delta.copy(target, done, at, at + op);
      at += op;
      done += op;
    } else throw new Error('delta has an unknown instruction');
  }
  if (done !== target.length) throw new Error('delta is cut short');
  return target;
}

function lengthOf(piece: Piece): number {
  return 'bytes' in piece ? piece.bytes.length : piece.length;
}

function cut(piece: Piece, head: number): [Piece, Piece] {
  if ('bytes' in piece) return [{ bytes: piece.bytes.subarray(0, head) }, { bytes: piece.bytes.subarray(head) }];
  return [
    { at: piece.at, length: head },
    { at: piece.at + head, length: piece.length - head },
  ];
}

/** Writes a delta into one buffer of `room` bytes. */
function createDelta(room: number, baseSize: number, size: number) {
  const out = Buffer.allocUnsafe(room);
  let end = 0;
  for (let rest of [baseSize, size]) {
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) out[end++] = (rest % 128) | 0x80;
    out[end++] = rest;
  }
  return {
    insert(bytes: Buffer): void {
      for (let at = 0; at < bytes.length; at += MAX_INSERT) {
        const length = Math.min(MAX_INSERT, bytes.length - at);
        out[end++] = length;
        end += bytes.copy(out, end, at, at + length);
      }
    },
    copy(at: number, length: number): void {
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
    },
    bytes: () => out.subarray(0, end),
  };
}
