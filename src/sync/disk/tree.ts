// Whole trees of a site: listed with their hashes, and removed. It blocks, so it runs in a thread of its own
// (tree-work.ts); it must not follow symbolic links.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** A file of a deploy. Size, time and inode are those it had when it was hashed. */
export interface TreeFile {
  sha256: string;
  sizeBytes: number;
  mtimeMs: number;
  ino: number;
}

/** Paths below the folder, with `/`. */
export type TreeFiles = Map<string, TreeFile>;

/** The tree has something that is neither a file nor a folder. */
export class ForeignEntryError extends Error {
  override name = 'ForeignEntryError';
  readonly code = 'FOREIGN_ENTRY';
}

const CHUNK_BYTES = 1 << 20;

/** Lists the files of a tree. Hashes only those that are not as `known` has them. @throws ForeignEntryError */
export function scanTree(root: string, known: TreeFiles): TreeFiles {
  const found: TreeFiles = new Map();
  const visit = (folder: string): void => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(place);
      else if (entry.isFile()) found.set(place, readFacts(path.join(root, place), known.get(place)));
      else throw new ForeignEntryError(`"${place}" is neither a file nor a folder`);
    }
  };
  visit('');
  return found;
}

function readFacts(file: string, known: TreeFile | undefined): TreeFile {
  const { size: sizeBytes, mtimeMs, ino } = fs.lstatSync(file);
  if (known && known.sizeBytes === sizeBytes && known.mtimeMs === mtimeMs && known.ino === ino) return known;
  return { sha256: hashFile(file), sizeBytes, mtimeMs, ino };
}

function hashFile(file: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    for (let length = 1; length > 0; ) {
      length = fs.readSync(descriptor, chunk);
      hash.update(chunk.subarray(0, length));
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return hash.digest('hex');
}

export function removeTree(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true });
}
