// The few file operations that media bytes need, so that a test can substitute its own disk and cut the power between
// any two of them. Nothing here retries a failed sync.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { makeDurably, syncFolder } from '../../data/durable.ts';
import { isCode } from '../../lib/error-code.ts';

export interface ByteFiles {
  /** Names in a folder; empty if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** Undefined if the file does not exist. */
  sizeOf(file: string): Promise<number | undefined>;
  /** When the file was last changed, since 1970; undefined if it does not exist. */
  changedMs(file: string): Promise<number | undefined>;
  /** The SHA-256 of the file's content, in hex. */
  hashOf(file: string): Promise<string>;
  /** Makes folders and syncs the parent of each new one. */
  makeFolder(folder: string): Promise<void>;
  /** Makes a folder of no use after a crash: nothing is synced. */
  makeScratchFolder(folder: string): Promise<void>;
  /** Makes an empty file that need not survive a power cut. */
  mark(file: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with everything in it, if it exists. */
  remove(fileOrFolder: string): Promise<void>;
  syncFile(file: string): Promise<void>;
  syncFolder(folder: string): Promise<void>;
}

/** After a client leaves, its upload may still write into the folder for a moment. */
const RETRIES = 5;
const CHUNK_BYTES = 256 << 10;

export const nodeByteFiles: ByteFiles = {
  list: (folder) => orElse(() => readdir(folder), []),
  sizeOf: (file) => orElse(async () => (await stat(file)).size, undefined),
  changedMs: (file) => orElse(async () => (await stat(file)).mtimeMs, undefined),
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

/** Returns `absent` if the file does not exist. */
async function orElse<T>(run: () => Promise<T>, absent: T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return absent;
    throw error;
  }
}
