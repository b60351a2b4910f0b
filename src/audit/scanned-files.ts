// Opens the files of one trail and scans them to their end. Results are kept by inode, so that a file is scanned only
// once, whatever number it gets meanwhile.
import { type FileHandle, open } from 'node:fs/promises';
import { isCode } from '../lib/error-code.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { type Scanned, scanLines } from './lines.ts';

/** A file of the trail that stays readable until it is closed, even if it is renamed or removed. */
export interface AuditFile {
  handle: FileHandle;
  scanned: Scanned;
}

/** `listPaths` returns the trail's files, oldest first, which are opened in that order. The caller closes the handles. */
export function createScannedFiles(listPaths: () => Promise<string[]>): () => Promise<AuditFile[]> {
  const inOrder = createInOrder();
  /** By inode. */
  let scanned = new Map<number, Scanned>();

  async function openFiles(): Promise<AuditFile[]> {
    const files: AuditFile[] = [];
    const left = scanned;
    scanned = new Map();
    try {
      for (const file of await listPaths()) {
        const handle = await openIfThere(file);
        if (!handle) continue;
        const { ino, size } = await handle.stat();
        if (files.some((one) => scanned.get(ino) === one.scanned)) {
          // It got its number meanwhile, and was already opened under it.
          await handle.close();
          continue;
        }
        const known = left.get(ino);
        const found: Scanned =
          known && known.bytes <= size ? known : { bytes: 0, byOwner: new Map(), texts: new Map() };
        files.push({ handle, scanned: found });
        scanned.set(ino, found);
        await scanLines(handle, found);
      }
      return files;
    } catch (error) {
      for (const { handle } of files) await handle.close();
      throw error;
    }
  }

  return () => inOrder(openFiles);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
