// Caches variants and clean drawings, in files that may be deleted at any time. Over its limits, the least recently
// used files go first. A file exists whole or not at all.
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';

export interface VariantsCache {
  /** Opens a file for reading; the caller closes it. */
  find(name: string): Promise<FileHandle | undefined>;
  /** Does nothing if space is short. Rejects if the disk fails, and then leaves nothing behind. */
  keep(name: string, bytes: Buffer): Promise<void>;
}

export interface VariantsCacheOptions {
  /** Made when the first file is kept. */
  folder: string;
  limitBytes: number;
  /** A folder of ever more small files gets slow too. */
  limitFiles: number;
  /** Free space that the cache leaves for the rest of the service. */
  reserveBytes: number;
}

const UNFINISHED = /\.tmp$/;

export function createVariantsCache(options: VariantsCacheOptions): VariantsCache {
  const { folder, limitBytes, limitFiles, reserveBytes } = options;
  /** Sizes by name, the least recently used first. */
  const files = new Map<string, number>();
  let total = 0;
  let loaded: Promise<void> | undefined;

  async function begin(): Promise<void> {
    try {
      await load();
    } catch (error) {
      loaded = undefined; // the next call tries again
      throw error;
    }
  }

  /** Finds what earlier processes left, the oldest first, and removes the files that they did not finish. */
  async function load(): Promise<void> {
    const found: { name: string; size: number; madeAt: number }[] = [];
    for (const name of await namesIn(folder)) {
      const file = path.join(folder, name);
      if (UNFINISHED.test(name)) {
        await rm(file, { force: true });
        continue;
      }
      const about = await stat(file).catch(() => undefined); // deleted meanwhile
      if (about?.isFile()) found.push({ name, size: about.size, madeAt: about.mtimeMs });
    }
    for (const { name, size } of found.sort((a, b) => a.madeAt - b.madeAt)) note(name, size);
    await evict();
  }

  function note(name: string, size: number): void {
    forget(name);
    files.set(name, size);
    total += size;
  }

  function forget(name: string): void {
    total -= files.get(name) ?? 0;
    files.delete(name);
  }

  async function evict(): Promise<void> {
    for (const name of files.keys()) {
      if (total <= limitBytes && files.size <= limitFiles) return;
      forget(name);
      await rm(path.join(folder, name), { force: true });
    }
  }

  return {
    async find(name) {
      await (loaded ??= begin());
      const size = files.get(name);
      if (size === undefined) return undefined;
      note(name, size);
      try {
        return await open(path.join(folder, name), 'r');
      } catch (error) {
        if (!isCode(error, 'ENOENT')) throw error;
        forget(name); // deleted meanwhile
        return undefined;
      }
    },
    async keep(name, bytes) {
      await (loaded ??= begin());
      await mkdir(folder, { recursive: true });
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < reserveBytes + bytes.length) return;
      const unfinished = path.join(folder, `${randomBytes(9).toString('hex')}.tmp`);
      try {
        const file = await open(unfinished, 'wx');
        try {
          await file.writeFile(bytes);
          // Otherwise a power cut could leave half of the file under its name.
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path.join(folder, name));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      note(name, bytes.length);
      await evict();
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}
