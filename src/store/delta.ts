// Git's delta format (gitformat-pack(5), "Deltified representation"): a list of copies from the base and of inserted
// bytes. Trees are stored as deltas of their edits, so a commit in a wide directory costs some dozen bytes.
import type { TreeEdit } from './tree.ts';

/** A stretch of the target: copied from the base, or given. */
type Piece = { at: number; length: number } | { bytes: Buffer };

const MAX_COPY = 0xffffff;
const MAX_INSERT = 0x7f;

/** The edits made to a base, in order, as the pieces of the result. Neighbouring pieces are merged. */
export class PieceTable {
  readonly baseSize: number;
  size: number;
  #pieces: Piece[];

  constructor(baseSize: number) {
    this.baseSize = baseSize;
    this.size = baseSize;
    this.#pieces = baseSize ? [{ at: 0, length: baseSize }] : [];
  }

  get pieceCount(): number {
    return this.#pieces.length;
  }

  apply(edit: TreeEdit): void {
    const from = this.#splitAt(edit.at);
    const to = this.#splitAt(edit.at + edit.removed.length);
    const insert: Piece[] = edit.inserted.length ? [{ bytes: edit.inserted }] : [];
    this.#pieces.splice(from, to - from, ...insert);
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
        const head = offset - position;
        this.#pieces.splice(i, 1, ...cut(piece, head));
        return i + 1;
      }
      position += length;
    }
    return this.#pieces.length;
  }

  toDelta(): Buffer {
    const out: number[] = [];
    writeSize(out, this.baseSize);
    writeSize(out, this.size);
    for (const piece of this.#pieces) {
      if ('bytes' in piece) writeInsert(out, piece.bytes);
      else writeCopy(out, piece.at, piece.length);
    }
    return Buffer.from(out);
  }
}

/** A delta for `target` against `base` that shares what both begin and end with; undefined where it would not pay. */
export function deltaByEnds(base: Buffer, target: Buffer): Buffer | undefined {
  const shorter = Math.min(base.length, target.length);
  let head = 0;
  while (head < shorter && base[head] === target[head]) head++;
  let tail = 0;
  while (tail < shorter - head && base[base.length - 1 - tail] === target[target.length - 1 - tail]) tail++;
  const middle = target.subarray(head, target.length - tail);
  if (middle.length > target.length >> 1) return undefined;
  const out: number[] = [];
  writeSize(out, base.length);
  writeSize(out, target.length);
  if (head) writeCopy(out, 0, head);
  writeInsert(out, middle);
  if (tail) writeCopy(out, base.length - tail, tail);
  return Buffer.from(out);
}

export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    let shift = 1;
    for (;;) {
      const byte = delta[at++];
      if (byte === undefined) throw new Error('delta is cut short');
      size += (byte & 0x7f) * shift;
      if (byte < 0x80) return size;
      shift *= 128;
    }
  };
  if (readSize() !== base.length) throw new Error('delta does not fit its base');
  const target = Buffer.allocUnsafeSlow(readSize());
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

function writeSize(out: number[], size: number): void {
  let rest = size;
  while (rest >= 0x80) {
    out.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}

function writeInsert(out: number[], bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += MAX_INSERT) {
    const part = bytes.subarray(at, at + MAX_INSERT);
    out.push(part.length, ...part);
  }
}

function writeCopy(out: number[], at: number, length: number): void {
  for (let done = 0; done < length; ) {
    const part = Math.min(MAX_COPY, length - done);
    const offset = at + done;
    const opAt = out.push(0x80) - 1;
    let op = 0x80;
    for (let i = 0; i < 4; i++) {
      const byte = Math.floor(offset / 2 ** (8 * i)) & 0xff;
      if (byte) (op |= 1 << i), out.push(byte);
    }
    if (part !== 0x10000) {
      for (let i = 0; i < 3; i++) {
        const byte = (part >> (8 * i)) & 0xff;
        if (byte) (op |= 0x10 << i), out.push(byte);
      }
    }
    out[opAt] = op;
    done += part;
  }
}
