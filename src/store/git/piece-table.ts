// Applies edits to a base one after another and keeps the result as a list of stretches.
import { type DeltaPiece, lengthOf, type Pieces, toPieces } from './delta.ts';
import type { TreeEdit } from './tree-edit.ts';

export class PieceTable {
  readonly #baseSize: number;
  readonly #pieces: DeltaPiece[];

  constructor(baseSize: number) {
    this.#baseSize = baseSize;
    this.#pieces = baseSize ? [{ at: 0, length: baseSize }] : [];
  }

  apply(edit: TreeEdit): void {
    const from = this.#splitAt(edit.at);
    const to = this.#splitAt(edit.at + edit.removed.length);
    this.#pieces.splice(from, to - from, ...(edit.inserted.length ? [{ bytes: edit.inserted }] : []));
  }

  /** Returns the index of the piece that starts at `offset` of the target; splits the piece around it if necessary. */
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

  toPieces(): Pieces {
    return toPieces(this.#baseSize, this.#pieces);
  }
}

function cut(piece: DeltaPiece, head: number): [DeltaPiece, DeltaPiece] {
  if ('bytes' in piece) return [{ bytes: piece.bytes.subarray(0, head) }, { bytes: piece.bytes.subarray(head) }];
  return [
    { at: piece.at, length: head },
    { at: piece.at + head, length: piece.length - head },
  ];
}
