// Writes a new journal beside the old one: the lines to keep, each with the line that is to follow it.
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { LinePlace } from './journal-line.ts';

export interface CopyParts {
  /** Path of the new file; an existing file is removed. */
  path: string;
  /** Sorted by place. */
  keep: readonly { place: LinePlace; followedBy(): Buffer | undefined }[];
  last: () => readonly Buffer[];
  /** Reads from the old file. */
  read(place: LinePlace): Promise<Buffer>;
  sizeBytes: number;
  breathe(): Promise<void> | undefined;
}

export interface Copy {
  handle: FileHandle;
  sizeBytes: number;
  /** Places of the kept lines. */
  places: LinePlace[];
}

const CHUNK_BYTES = 1 << 20;

/** Returns the new file, synced and still open; closes it after a failure. */
export async function writeCopy({ path, keep, last, read, sizeBytes, breathe }: CopyParts): Promise<Copy> {
  await rm(path, { force: true });
  const to = await open(path, 'wx+', 0o600);
  try {
    const readRaw = createWindow((offset, length) => read({ offset, length }), sizeBytes);
    const places: LinePlace[] = [];
    const pending: Buffer[] = [];
    let [pendingBytes, written] = [0, 0];
    const put = async (bytes: Buffer): Promise<void> => {
      pending.push(bytes);
      pendingBytes += bytes.length;
      if (pendingBytes >= CHUNK_BYTES) await flush();
    };
    const flush = async (): Promise<void> => {
      await writeAll(to, Buffer.concat(pending.splice(0)), written);
      written += pendingBytes;
      pendingBytes = 0;
    };
    for (const { place, followedBy } of keep) {
      const line = await readRaw(place);
      places.push({ offset: written + pendingBytes, length: line.length });
      await put(line);
      const next = followedBy();
      if (next) await put(next);
      await breathe();
    }
    for (const line of last()) await put(line);
    await flush();
    await to.sync();
    return { handle: to, sizeBytes: written, places };
  } catch (error) {
    await to.close();
    throw error;
  }
}

/** Reads ahead, for a caller that goes through the file from front to back. */
function createWindow(read: (offset: number, length: number) => Promise<Buffer>, fileBytes: number) {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  return async ({ offset, length }: LinePlace): Promise<Buffer> => {
    if (offset < start || offset + length > start + window.length) {
      start = offset;
      window = await read(offset, Math.min(Math.max(length, CHUNK_BYTES), fileBytes - offset));
    }
    return window.subarray(offset - start, offset - start + length);
  };
}

/** Loops until every byte is written: a full disk first shows as a short write without an error. */
export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw Object.assign(new Error('write made no progress'), { code: 'ENOSPC' });
    done += bytesWritten;
  }
}
