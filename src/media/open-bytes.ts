// The bytes of a site's media, by their SHA-256: `media/ab/cd/<sha256>`. What is there is whole and synced. Bytes stay for
// good once a commit has named them, because history and backups need them; what never came to a commit goes.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeDurably, syncFolder } from '../data/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';

export interface MediaBytes {
  /** Where the bytes are, or would be. */
  pathOf(sha256: string): string;
  has(sha256: string): Promise<boolean>;
  /** Size in bytes; undefined where they are not there. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** An empty folder on the same file system, for what is on its way in. Whatever is in it then goes with `end`. */
  receive(): Promise<{ folder: string; end(): Promise<void> }>;
  /**
   * Takes a file of `receive` in, runs `commit`, and answers with it. Where `commit` throws and nobody else has the
   * bytes (`isNeeded`), they go again. One at a time for the same bytes.
   */
  adopt<T>(file: string, sha256: string, commit: () => Promise<T>): Promise<T>;
  /** Runs while nobody adopts these bytes. */
  alone<T>(sha256: string, run: () => Promise<T>): Promise<T>;
  /** Puts bytes back that a commit names. @throws where they are not those. */
  restore(sha256: string, source: AsyncIterable<Buffer>): Promise<void>;
}

export interface BytesParts {
  /** `<data>/sites/<id>/media`. */
  folder: string;
  /** Whether the newest accepted state has a file of these bytes. */
  isNeeded(sha256: string): boolean;
}

const SHA256 = /^[0-9a-f]{64}$/;
const INCOMING = 'incoming';

/** Removes what a crash left of uploads: bytes that came to no commit, which the marks in `incoming` name. */
export async function openBytes({ folder, isNeeded }: BytesParts): Promise<MediaBytes> {
  const incoming = path.join(folder, INCOMING);
  const busy = new Map<string, Promise<unknown>>();
  await sweep();

  function pathOf(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error(`"${sha256}" is no SHA-256`);
    return path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  async function sweep(): Promise<void> {
    for (const name of await namesIn(incoming)) {
      if (SHA256.test(name) && !isNeeded(name)) await remove(name);
      await rm(path.join(incoming, name), { recursive: true, force: true });
    }
  }

  async function remove(sha256: string): Promise<void> {
    await rm(pathOf(sha256), { force: true });
  }

  async function sizeOf(sha256: string): Promise<number | undefined> {
    try {
      return (await stat(pathOf(sha256))).size;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async function alone<T>(sha256: string, run: () => Promise<T>): Promise<T> {
    const running = (busy.get(sha256) ?? Promise.resolve()).then(run);
    const settled = running.catch(() => undefined); // who asked is told
    busy.set(sha256, settled);
    try {
      return await running;
    } finally {
      if (busy.get(sha256) === settled) busy.delete(sha256);
    }
  }

  /** The file gets its place, for good once this resolves. */
  async function place(file: string, sha256: string): Promise<void> {
    const target = pathOf(sha256);
    const shard = path.dirname(target);
    await makeDurably(shard);
    await syncFile(file);
    await rename(file, target);
    // All the way up: a process that was killed may have made the folders and not come to sync them.
    for (const above of [shard, path.dirname(shard), folder]) await syncFolder(above);
  }

  return {
    pathOf,
    sizeOf,
    has: async (sha256) => (await sizeOf(sha256)) !== undefined,
    async receive() {
      const own = path.join(incoming, randomBytes(12).toString('hex'));
      try {
        await mkdir(own, { recursive: true });
      } catch (error) {
        throw toRefusal(error);
      }
      return { folder: own, end: () => rm(own, { recursive: true, force: true, maxRetries: 5 }) };
    },
    adopt: (file, sha256, commit) =>
      alone(sha256, async () => {
        if ((await sizeOf(sha256)) === (await stat(file)).size) return commit();
        // Tells the next start whose bytes these are, should this process not come to the end of it.
        const mark = path.join(incoming, sha256);
        try {
          await (await open(mark, 'w')).close();
          await place(file, sha256);
          const done = await commit();
          await rm(mark);
          // Or a power cut could bring the mark back, and the next start take away what has been deleted since.
          await syncFolder(incoming);
          return done;
        } catch (error) {
          if (!isNeeded(sha256)) await remove(sha256);
          await rm(mark, { force: true });
          throw toRefusal(error);
        }
      }),
    alone,
    restore: (sha256, source) =>
      alone(sha256, async () => {
        if ((await sizeOf(sha256)) !== undefined) {
          source[Symbol.asyncIterator]().return?.();
          return;
        }
        await mkdir(incoming, { recursive: true });
        const file = path.join(incoming, randomBytes(12).toString('hex'));
        try {
          await pipeline(source, createWriteStream(file, { flags: 'wx' }));
          const found = await hashOf(file);
          if (found !== sha256) throw new Error(`bytes of ${sha256} are those of ${found}`);
          await place(file, sha256);
        } catch (error) {
          throw toRefusal(error);
        } finally {
          await rm(file, { force: true });
        }
      }),
  };
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** A full disk is told as one; everything else stays what it is. */
export function toRefusal(error: unknown): unknown {
  if (!isCode(error, 'ENOSPC', 'EDQUOT')) return error;
  return new ServiceError('storage_full', 'disk is full; free space and try again', { cause: error });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
