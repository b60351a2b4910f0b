// The few operations on files that keep media bytes, so that a test can put a disk of its own below them and cut the
// power between any two. Nothing here retries a failed sync.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { makeDurably, syncFolder } from '../../data/durable.ts';
import { isCode } from '../../lib/error-code.ts';

export interface ByteFiles {
  /** Names in a folder; empty where it does not exist. */
  list(folder: string): Promise<string[]>;
  /** Undefined where the file does not exist. */
  sizeOf(file: string): Promise<number | undefined>;
  /** The SHA-256 of what is there, in hex. */
  hashOf(file: string): Promise<string>;
  /** Makes folders and syncs the parent of each new one. */
  makeFolder(folder: string): Promise<void>;
  /** For what is of no use after a crash: nothing is synced. */
  makeScratchFolder(folder: string): Promise<void>;
  /** An empty file that is of no use after a power cut. */
  mark(file: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A file, or a folder with all that is in it; nothing where there is none. */
  remove(fileOrFolder: string): Promise<void>;
  syncFile(file: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
}

/** A client that has gone may still be writing into its folder for a moment. */
const RETRIES = 5;
const CHUNK_BYTES = 256 << 10;

export const nodeByteFiles: ByteFiles = {
  list: (folder) => orElse(() => readdir(folder), []),
  sizeOf: (file) => orElse(async () => (await stat(file)).size, undefined),
  hashOf,
  makeFolder: makeDurably,
  makeScratchFolder: async (folder) => void (await mkdir(folder, { recursive: true })),
  async mark(file) {
    await (await open(file, 'w')).close();
  },
  rename,
  remove: (fileOrFolder) => rm(fileOrFolder, { recursive: true, force: true, maxRetries: RETRIES }),
  async syncFile(file) {
    const handle = await open(file, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  syncFolder,
};

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), hash);
  return hash.digest('hex');
}

/** Where it does not exist. */
async function orElse<T>(run: () => Promise<T>, absent: T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return absent;
    throw error;
  }
}
