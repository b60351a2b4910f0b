// All file access of the store (except the data folder's lock, the second reader and /proc) goes through this module
// and the few calls of node:fs that it lists, so that a test can substitute its own disk, record every call and rebuild
// the disk images that a crash could leave. Paths are absolute. A failed sync is never retried: after one the page
// cache lies.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { isNoSpace, isShortage } from '../../lib/shortage.ts';

export interface ReadHandle {
  readonly sizeBytes: number;
  /** Reads exactly `length` bytes at `position`, or fewer at the end of the file. */
  read(position: number, length: number): Buffer;
  close(): void;
}

export interface DurableFile {
  /** Resolves once the bytes are on the disk (the file is open with O_DSYNC). Loops over short writes. */
  write(bytes: Buffer, position: number): Promise<void>;
  close(): void;
}

export interface Disk {
  /** Returns undefined if the file does not exist. */
  readFile(file: string): Buffer | undefined;
  /** Names in a folder, sorted; empty if it does not exist. */
  list(folder: string): string[];
  stat(file: string): fs.Stats | undefined;
  /** Creates folders and syncs the parent of each new one. */
  makeFolder(folder: string): void;
  /** Creates folders for files that are of no use after a crash: nothing is synced. */
  makeScratchFolder(folder: string): void;
  /** Removes a folder with its contents, including files that another process adds meanwhile. */
  removeFolder(folder: string): void;
  /** Free space on the folder's disk, in bytes. */
  roomBytes(folder: string): number;
  /**
   * Creates a file that must not exist yet, writes and syncs it; removes it again if it could not be written whole. The
   * name is not durable before `syncFolder`.
   */
  createFile(file: string, chunks: Iterable<Buffer>): void;
  /** The same without blocking; the event loop runs between chunks. By default only the owner may read the file. */
  createLargeFile(file: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>, mode?: number): Promise<void>;
  /** The same piece by piece, for threads that may wait for the disk. */
  beginFile(file: string): NewFile;
  rename(from: string, to: string): void;
  /** The same without blocking: on a disk that does not answer, a rename waits too. */
  renameApart(from: string, to: string): Promise<void>;
  /** Gives the file a second name; fails with EEXIST if `to` exists. */
  link(from: string, to: string): void;
  /** Returns true if the file existed. */
  remove(file: string): boolean;
  /** The same without blocking. */
  removeApart(file: string): Promise<boolean>;
  syncFolder(folder: string): void;
  /** The same without blocking. */
  syncFolderApart(folder: string): Promise<void>;
  /**
   * Opens a folder before its sync, for a step that cannot be undone: a shortage of descriptors then stops the step and
   * not the sync after it. Returns the function that closes the folder.
   */
  holdFolder(folder: string): () => void;
  /** For bytes that another process wrote: it may have been killed before it synced them. */
  syncFile(file: string): void;
  /** The same without blocking, for a pack of any size. */
  syncLargeFile(file: string): Promise<void>;
  openForReading(file: string): ReadHandle | undefined;
  openDurable(file: string): DurableFile;
  /** Creates a file of zeros, synced, without blocking: later writes into it change no metadata. */
  preallocate(file: string, sizeBytes: number): Promise<void>;
}

/** The calls of node:fs that the disk uses, each with only the arguments it needs. */
export interface FileCalls {
  readonly constants: { readonly O_RDWR: number; readonly O_DSYNC: number };
  openSync(file: string, flags: string | number, mode?: number): number;
  closeSync(fd: number): void;
  fsyncSync(fd: number): void;
  fstatSync(fd: number): fs.Stats;
  readSync(fd: number, into: Buffer, offset: number, length: number, position: number): number;
  writeSync(fd: number, bytes: Buffer, offset: number, length: number, position?: number): number;
  write(
    fd: number,
    bytes: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, count: number) => void,
  ): void;
  readFileSync(file: string): Buffer;
  readdirSync(folder: string): string[];
  statSync(file: string, options: { throwIfNoEntry: false }): fs.Stats | undefined;
  statfsSync(folder: string): { bavail: number; bsize: number };
  mkdirSync(folder: string): void;
  rmSync(folder: string, options: { recursive: true; force: true; maxRetries: number; retryDelay: number }): void;
  renameSync(from: string, to: string): void;
  linkSync(from: string, to: string): void;
  unlinkSync(file: string): void;
  readonly promises: {
    open(file: string, flags: string, mode: number): Promise<AsyncHandle>;
    rename(from: string, to: string): Promise<void>;
    unlink(file: string): Promise<void>;
  };
}

export interface AsyncHandle {
  write(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file that is too large to hold in memory. */
export interface NewFile {
  readonly sizeBytes: number;
  append(bytes: Buffer): void;
  /** Overwrites bytes that were written before. */
  replace(position: number, bytes: Buffer): void;
  /** Syncs and closes; the name is not durable before `syncFolder`. */
  finish(): void;
  /** Closes without a sync: for files that are of no use after a crash. */
  close(): void;
  /** Closes and removes the file. */
  abandon(): void;
}

/**
 * Linux caches a file in pieces as large as the writes that made it, and a later write of one byte dirties a whole
 * piece: up to a mebibyte per frame, as /proc/self/io and the limits of containers count it.
 */
const PAGE_BYTES = 4096;
const PIECES_AT_ONCE = 64;

/**
 * `pieceBytes`: the size of the writes that preallocate a file. One function, because its methods are the operations of
 * one port, a few lines each, which call one another, and the crash tests expect them all in this file.
 */
export function createDisk(calls: FileCalls, pieceBytes = 1 << 20): Disk {
  /** Loops over short writes: the first sign of a full disk is a short write without an error. */
  function writeAll(fd: number, bytes: Buffer, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const count = calls.writeSync(fd, bytes, done, bytes.length - done, position + done);
      if (count === 0) throw noProgress();
      done += count;
    }
  }

  async function writeLater(handle: AsyncHandle, bytes: Buffer, length: number, position: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const { bytesWritten } = await handle.write(bytes, done, length - done, position + done);
      if (bytesWritten === 0) throw noProgress();
      done += bytesWritten;
    }
  }

  /** Descriptors of held folders. */
  const held = new Map<string, number>();

  function holdFolder(folder: string): () => void {
    if (held.has(folder)) return () => undefined;
    const fd = calls.openSync(folder, 'r');
    held.set(folder, fd);
    return () => {
      held.delete(folder);
      calls.closeSync(fd);
    };
  }

  function sync(fileOrFolder: string): void {
    const open = held.get(fileOrFolder);
    if (open !== undefined) {
      calls.fsyncSync(open);
      return;
    }
    const fd = calls.openSync(fileOrFolder, 'r');
    try {
      calls.fsyncSync(fd);
    } finally {
      calls.closeSync(fd);
    }
  }

  async function syncApart(fileOrFolder: string): Promise<void> {
    const handle = await calls.promises.open(fileOrFolder, 'r', 0);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  const disk: Disk = {
    readFile(file) {
      return orUndefined(() => calls.readFileSync(file));
    },
    list(folder) {
      return (orUndefined(() => calls.readdirSync(folder)) ?? []).sort();
    },
    stat(file) {
      return calls.statSync(file, { throwIfNoEntry: false });
    },
    makeFolder(folder) {
      if (disk.stat(folder)) return;
      const parent = path.dirname(folder);
      disk.makeFolder(parent);
      const release = holdFolder(parent);
      try {
        orUndefined(() => calls.mkdirSync(folder), 'EEXIST');
        disk.syncFolder(parent);
      } finally {
        release();
      }
    },
    makeScratchFolder(folder) {
      if (disk.stat(folder)) return;
      disk.makeScratchFolder(path.dirname(folder));
      orUndefined(() => calls.mkdirSync(folder), 'EEXIST');
    },
    removeFolder(folder) {
      calls.rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
    },
    roomBytes(folder) {
      const { bavail, bsize } = calls.statfsSync(folder);
      return bavail * bsize;
    },
    createFile(file, chunks) {
      const made = disk.beginFile(file);
      let isWhole = false;
      try {
        for (const chunk of chunks) made.append(chunk);
        made.finish();
        isWhole = true;
      } finally {
        if (!isWhole) made.abandon();
      }
    },
    async createLargeFile(file, chunks, mode = 0o600) {
      const handle = await calls.promises.open(file, 'wx', mode);
      let isWhole = false;
      try {
        let sizeBytes = 0;
        for await (const chunk of chunks) {
          await writeLater(handle, chunk, chunk.length, sizeBytes);
          sizeBytes += chunk.length;
        }
        await handle.sync();
        isWhole = true;
      } finally {
        await handle.close();
        if (!isWhole) await calls.promises.unlink(file);
      }
    },
    beginFile(file) {
      const fd = calls.openSync(file, 'wx', 0o644);
      let sizeBytes = 0;
      let isOpen = true;
      const close = (): void => {
        if (isOpen) calls.closeSync(fd);
        isOpen = false;
      };
      return {
        get sizeBytes() {
          return sizeBytes;
        },
        append(bytes) {
          writeAll(fd, bytes, sizeBytes);
          sizeBytes += bytes.length;
        },
        replace: (position, bytes) => writeAll(fd, bytes, position),
        finish() {
          calls.fsyncSync(fd);
          close();
        },
        close,
        abandon() {
          close();
          calls.unlinkSync(file);
        },
      };
    },
    rename: (from, to) => calls.renameSync(from, to),
    renameApart: (from, to) => calls.promises.rename(from, to),
    link: (from, to) => calls.linkSync(from, to),
    remove(file) {
      const isGone = orUndefined(() => {
        calls.unlinkSync(file);
        return true;
      });
      return isGone ?? false;
    },
    async removeApart(file) {
      try {
        await calls.promises.unlink(file);
        return true;
      } catch (error) {
        if (isCode(error, 'ENOENT')) return false;
        throw error;
      }
    },
    syncFolder: sync,
    syncFolderApart: syncApart,
    holdFolder,
    syncFile: sync,
    syncLargeFile: syncApart,
    openForReading(file) {
      const fd = orUndefined(() => calls.openSync(file, 'r'));
      if (fd === undefined) return undefined;
      return {
        sizeBytes: calls.fstatSync(fd).size,
        read(position, length) {
          const buffer = Buffer.allocUnsafeSlow(length);
          let done = 0;
          while (done < length) {
            const count = calls.readSync(fd, buffer, done, length - done, position + done);
            if (count === 0) break;
            done += count;
          }
          return done === length ? buffer : buffer.subarray(0, done);
        },
        close: () => calls.closeSync(fd),
      };
    },
    openDurable(file) {
      const fd = calls.openSync(file, calls.constants.O_RDWR | calls.constants.O_DSYNC);
      return {
        write: (bytes, position) =>
          new Promise((resolve, reject) => {
            const next = (done: number): void => {
              calls.write(fd, bytes, done, bytes.length - done, position + done, (error, count) => {
                if (error) reject(error);
                else if (done + count === bytes.length) resolve();
                else if (count === 0) reject(noProgress());
                else next(done + count);
              });
            };
            next(0);
          }),
        close: () => calls.closeSync(fd),
      };
    },
    async preallocate(file, sizeBytes) {
      const handle = await calls.promises.open(file, 'wx', 0o644);
      try {
        const zeros = Buffer.alloc(pieceBytes);
        for (let done = 0; done < sizeBytes; ) {
          const writes: Promise<void>[] = [];
          for (; done < sizeBytes && writes.length < PIECES_AT_ONCE; done += pieceBytes) {
            writes.push(writeLater(handle, zeros, Math.min(pieceBytes, sizeBytes - done), done));
          }
          await Promise.all(writes);
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
  return disk;
}

export const nodeDisk: Disk = createDisk(fs, PAGE_BYTES);

function orUndefined<T>(run: () => T, code = 'ENOENT'): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isCode(error, code)) return undefined;
    throw error;
  }
}

/** Removes a file that is not needed any more. Returns false if that fails: a later try, or the next start, does it. */
export function removeLeftover(disk: Disk, file: string): boolean {
  try {
    disk.remove(file);
    return true;
  } catch (error) {
    if (!isNoSpace(error) && !isShortage(error)) throw error;
    return false;
  }
}

/** The same without blocking. */
export async function removeLeftoverApart(disk: Disk, file: string): Promise<boolean> {
  try {
    await disk.removeApart(file);
    return true;
  } catch (error) {
    if (!isNoSpace(error) && !isShortage(error)) throw error;
    return false;
  }
}

function noProgress(): Error {
  return Object.assign(new Error('write made no progress'), { code: 'ENOSPC' });
}
