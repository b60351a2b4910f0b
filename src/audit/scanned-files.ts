// Opens the files of one trail and scans them to their end. Results are kept by name and first bytes, so that a file is
// scanned once. Never by inode: the system gives a removed file's inode to the next one.
import { type FileHandle, open } from 'node:fs/promises';
import { isCode } from '../lib/error-code.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { nothingScanned, type Scanned, scanLines } from './lines.ts';

/** A file of the trail that stays readable until it is closed, even if it is renamed or removed. */
export interface AuditFile {
  path: string;
  handle: FileHandle;
  scanned: Scanned;
}

/** What has been scanned of a file, and the bytes that show if it is still the same. */
interface Known {
  scanned: Scanned;
  first: Buffer;
  last: Buffer;
}

/** The first line begins with a random id, and so does the last. */
const EDGE_BYTES = 512;
/** A file may be rotated while the others are opened. */
const TRIES = 5;

/** `listPaths` returns the trail's files, oldest first, which are opened in that order. The caller closes the handles. */
export function createScannedFiles(listPaths: () => Promise<string[]>): () => Promise<AuditFile[]> {
  const inOrder = createInOrder();
  /** By path. */
  let known = new Map<string, Known>();

  async function openAll(paths: readonly string[]): Promise<AuditFile[]> {
    const files: AuditFile[] = [];
    const left = known;
    known = new Map();
    try {
      for (const path of paths) {
        const handle = await openIfThere(path);
        if (!handle) continue;
        const before = left.get(path);
        const scanned = before && (await isSame(handle, before)) ? before.scanned : nothingScanned();
        files.push({ path, handle, scanned });
        await scanLines(handle, scanned);
        // Without a readable entry: nothing is pruned because it is damaged.
        if (scanned.newestMs === 0) scanned.newestMs = (await handle.stat()).mtimeMs;
        known.set(path, { scanned, ...(await readEdges(handle, scanned.bytes)) });
      }
      return files;
    } catch (error) {
      await closeFiles(files);
      throw error;
    }
  }

  async function openFiles(): Promise<AuditFile[]> {
    for (let tried = 1; ; tried++) {
      const paths = await listPaths();
      const files = await openAll(paths);
      // A file that got its number meanwhile would be missing.
      if (tried === TRIES || (await listPaths()).join() === paths.join()) return files;
      await closeFiles(files);
    }
  }

  return () => inOrder(openFiles);
}

export async function closeFiles(files: readonly AuditFile[]): Promise<void> {
  for (const { handle } of files) await handle.close();
}

async function isSame(handle: FileHandle, { scanned, first, last }: Known): Promise<boolean> {
  const edges = await readEdges(handle, scanned.bytes);
  return edges.first.equals(first) && edges.last.equals(last);
}

/** The first and the last of the bytes that have been scanned. */
async function readEdges(handle: FileHandle, bytes: number): Promise<Pick<Known, 'first' | 'last'>> {
  const length = Math.min(EDGE_BYTES, bytes);
  return { first: await readAt(handle, 0, length), last: await readAt(handle, bytes - length, length) };
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
