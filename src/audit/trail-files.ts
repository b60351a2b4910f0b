// The files of one trail: `<name>.jsonl` is the newest, `<name>.<number>.jsonl` are older, `<name>.jsonl.chain` has the
// ends of their chain. Knows nothing of entries.
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';

export interface TrailFiles {
  current: string;
  /** Held while a process writes. */
  lock: string;
  chain: string;
  /** Numbers of the older files, the oldest first. */
  listNumbers(): Promise<number[]>;
  pathOf(number: number): string;
  /** The oldest first, the newest last whether it exists or not. */
  listPaths(): Promise<string[]>;
}

export function createTrailFiles(folder: string, name: string): TrailFiles {
  const current = path.join(folder, `${name}.jsonl`);
  const numbered = new RegExp(`^${name}\\.(\\d{1,9})\\.jsonl$`);
  const pathOf = (number: number): string => path.join(folder, `${name}.${number}.jsonl`);

  async function listNumbers(): Promise<number[]> {
    const names = await readdir(folder).catch((error) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    return names
      .flatMap((one) => numbered.exec(one)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  return {
    ...{ current, lock: `${current}.lock`, chain: `${current}.chain` },
    listNumbers,
    pathOf,
    listPaths: async () => [...(await listNumbers()).map(pathOf), current],
  };
}

export async function statIfThere(file: string) {
  try {
    return await stat(file, { bigint: true });
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export async function appendDurably(file: string, bytes: Buffer): Promise<void> {
  await withFile(file, 'a', async (handle) => {
    const { size } = await handle.stat();
    try {
      await handle.appendFile(bytes);
      await handle.sync();
    } catch (error) {
      await handle.truncate(size);
      throw error;
    }
  });
}

export async function withFile(
  file: string,
  flags: string,
  work: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}
