// Pieces of a build's state, in a file that only grows: a build adds those that changed, and the state says where each
// of them is. What the last state has is never written over, so that a build that stops leaves it as it was.
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/** Its place in the file, and the CRC-32 of its bytes. */
export type StatePiece = readonly [at: number, length: number, check: number];

export interface PieceFile {
  name: string;
  /** Up to the end of the last piece; what is behind it belongs to a build that stopped. */
  size: number;
}

/** Something else than what the build before wrote. */
export class DamagedState extends Error {}

/** @throws DamagedState */
export function readPieces(folder: string, { name }: PieceFile, pieces: readonly StatePiece[]): Buffer[] {
  const fd = fs.openSync(path.join(folder, name), 'r');
  try {
    return pieces.map(([at, length, check]) => {
      const bytes = Buffer.allocUnsafe(length);
      if (fs.readSync(fd, bytes, 0, length, at) !== length || crc32(bytes) !== check)
        throw new DamagedState(`"${name}" in "${folder}" is damaged`);
      return bytes;
    });
  } finally {
    fs.closeSync(fd);
  }
}

/** Writes parts that are new, and says where all of them are, in the same order. A part that is a piece is in `known`. */
export function writePieces(
  folder: string,
  known: PieceFile | undefined,
  parts: readonly (Buffer | StatePiece)[],
): { file: PieceFile; pieces: StatePiece[] } {
  const fresh = parts.filter((part) => Buffer.isBuffer(part));
  const added = fresh.reduce((sum, { length }) => sum + length, 0);
  const total = parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part[1]), 0);
  // Half of the file may be pieces that nothing needs any more.
  if (known && known.size + added <= 2 * total) return append(folder, known, parts);
  const all = parts.map((part) => (Buffer.isBuffer(part) ? part : readPieces(folder, known!, [part])[0]!));
  return append(folder, { name: newName(folder, known?.name), size: 0 }, all);
}

function append(
  folder: string,
  { name, size }: PieceFile,
  parts: readonly (Buffer | StatePiece)[],
): { file: PieceFile; pieces: StatePiece[] } {
  const flags = size === 0 ? 'w' : 'r+';
  const fd = fs.openSync(path.join(folder, name), flags, 0o600);
  try {
    let at = size;
    const pieces = parts.map((part): StatePiece => {
      if (!Buffer.isBuffer(part)) return part;
      at += part.length;
      return [at - part.length, part.length, crc32(part)];
    });
    const fresh = Buffer.concat(parts.filter((part) => Buffer.isBuffer(part)));
    for (let done = 0; done < fresh.length; ) done += fs.writeSync(fd, fresh, done, fresh.length - done, size + done);
    return { file: { name, size: at }, pieces };
  } finally {
    fs.closeSync(fd);
  }
}

const NAMES = ['pieces-1', 'pieces-2'] as const;

/** The last state needs its file until the next one is in its place. */
function newName(folder: string, known: string | undefined): string {
  const free = NAMES.filter((name) => name !== known);
  return free.find((name) => !fs.existsSync(path.join(folder, name))) ?? free[0]!;
}

export function removeOtherPieces(folder: string, kept: PieceFile): void {
  for (const name of NAMES) if (name !== kept.name) fs.rmSync(path.join(folder, name), { force: true });
}
