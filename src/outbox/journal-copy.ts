// The journal written anew: the lines to keep, and behind each what is to follow it, in a new file beside the old one.
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { LinePlace } from './journal-line.ts';

export interface CopyParts {
  /** Of the new file; whatever is there is removed. */
  path: string;
  /** In the order of their places. */
  keep: readonly { place: LinePlace; behind(): Buffer | undefined }[];
  last: () => readonly Buffer[];
  /** Of the old file. */
  read(place: LinePlace): Promise<Buffer>;
  sizeBytes: number;
  breathe(): Promise<void> | undefined;
}

export interface Copy {
  handle: FileHandle;
  sizeBytes: number;
  /** Of the kept lines. */
  places: LinePlace[];
}

const CHUNK_BYTES = 1 << 20;

/** The new file, synced and still open; after a failure it is closed. */
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
    for (const { place, behind } of keep) {
      const line = await readRaw(place);
      places.push({ offset: written + pendingBytes, length: line.length });
      await put(line);
      const after = behind();
      if (after) await put(after);
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

/** Reads ahead, for whoever goes through the file from front to back. */
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

/** A full disk shows first as a short write without an error, so the written length is looped on. */
export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw Object.assign(new Error('write made no progress'), { code: 'ENOSPC' });
    done += bytesWritten;
  }
}
