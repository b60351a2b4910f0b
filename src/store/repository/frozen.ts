// The repository's objects as they are at one moment, for somebody who reads them for minutes: second names for the files,
// which stay whatever maintenance or `git gc` removes meanwhile. Git never changes a file of objects in place.
import path from 'node:path';
import { nanoid } from 'nanoid';
import { isCode } from '../../lib/error-code.ts';
import { nextTurn } from '../../lib/queues/slices.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWork } from './disk-work.ts';

export interface FrozenObjects {
  /** Absolute; files are at the paths that they have below the repository. */
  readonly folder: string;
  /** `objects/pack/pack-<id>.pack`, `objects/<2 hex>/<38 hex>`; a pack before its index. */
  readonly files: readonly { path: string; sizeBytes: number }[];
  remove(): Promise<void>;
}

const PACK = /^(pack-[0-9a-f]{40})\.idx$/;
const FAN = /^[0-9a-f]{2}$/;
const LOOSE = /^[0-9a-f]{38}$/;
/** Packs go when others have taken their place, so a look at the new ones soon finds all of them. */
const TRIES = 50;
/** Loose objects are few, but for where others work in the repository. */
const SLICE = 256;
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'];

/**
 * Answers a function that freezes; `folder` holds one folder for each that is read, and is emptied now. Packs that
 * `isRetired` are left out: others have all of their objects.
 */
export function createFreezer(
  disk: Disk,
  work: DiskWork,
  repository: string,
  folder: string,
  isRetired: (pack: string) => boolean = () => false,
): () => Promise<FrozenObjects> {
  for (const left of disk.list(folder)) disk.removeFolder(path.join(folder, left));

  return async () => {
    const own = path.join(folder, nanoid());
    const files = new Map<string, number>();

    /** False where it is gone. */
    async function keep(file: string): Promise<boolean> {
      if (files.has(file)) return true;
      const [from, to] = [path.join(repository, file), path.join(own, file)];
      try {
        files.set(file, await work('linkFile', from, to));
      } catch (error) {
        if (isCode(error, 'ENOENT')) return false;
        if (!isCode(error, ...NO_LINKS) || !(await copy(disk, from, to))) throw error;
        files.set(file, disk.stat(to)?.size ?? 0);
      }
      return true;
    }

    async function keepPacks(): Promise<boolean> {
      for (const file of disk.list(path.join(repository, 'objects', 'pack'))) {
        const name = PACK.exec(file)?.[1];
        if (!name || isRetired(name)) continue;
        for (const extension of ['pack', 'idx']) {
          if (!(await keep(`objects/pack/${name}.${extension}`))) return false;
        }
      }
      return true;
    }

    const remove = (): Promise<void> => work('removeFolder', own);
    try {
      // First: one that goes meanwhile is in a pack by then.
      let count = 0;
      for (const fan of disk.list(path.join(repository, 'objects'))) {
        if (!FAN.test(fan)) continue;
        for (const name of disk.list(path.join(repository, 'objects', fan))) {
          if (LOOSE.test(name)) await keep(`objects/${fan}/${name}`);
          if (++count % SLICE === 0) await nextTurn();
        }
      }
      for (let tries = 1; !(await keepPacks()); tries++) {
        if (tries === TRIES) throw new Error('packs of the repository go away faster than they can be read');
      }
      // A pack whose index went before it was kept is in others by now.
      const whole = [...files].filter(([file]) => !file.endsWith('.pack') || files.has(file.replace(/pack$/, 'idx')));
      return { folder: own, files: whole.map(([file, sizeBytes]) => ({ path: file, sizeBytes })), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  };
}

/** Where the file system has no hard links. */
async function copy(disk: Disk, from: string, to: string): Promise<boolean> {
  const handle = disk.openForReading(from);
  if (!handle) return false;
  const CHUNK = 1 << 20;
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < handle!.sizeBytes; at += CHUNK) yield handle!.read(at, CHUNK);
  }
  try {
    await disk.createLargeFile(to, chunks());
    return true;
  } finally {
    handle.close();
  }
}
