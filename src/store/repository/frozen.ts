// Keeps the repository's objects of one moment for a reader that needs minutes: hard links to the files, which stay
// even if maintenance or `git gc` removes the originals. Git never changes an object file in place.
import path from 'node:path';
import { nanoid } from 'nanoid';
import { isCode } from '../../lib/error-code.ts';
import { nextTurn } from '../../lib/queues/slices.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWork } from './disk-work.ts';

export interface FrozenObjects {
  /** Absolute; inside it, files have the same paths as in the repository. */
  readonly folder: string;
  /** `objects/pack/pack-<id>.pack`, `objects/<2 hex>/<38 hex>`; a pack before its index. */
  readonly files: readonly { path: string; sizeBytes: number }[];
  remove(): Promise<void>;
}

const PACK = /^(pack-[0-9a-f]{40})\.idx$/;
const FAN = /^[0-9a-f]{2}$/;
const LOOSE = /^[0-9a-f]{38}$/;
/** A pack disappears only when others have replaced it, so listing the packs again soon finds all objects. */
const TRIES = 50;
/** Loose objects are few unless other programs work in the repository. */
const SLICE = 256;
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'];

/**
 * Returns a function that freezes the objects. `folder` will hold one folder for each reader, and is emptied now. Packs
 * for which `isRetired` is true are left out: others have all their objects.
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

    /** Returns false if the file is gone. */
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
      // Loose objects first: one that disappears meanwhile is in a pack by then.
      let count = 0;
      for (const fan of disk.list(path.join(repository, 'objects'))) {
        if (!FAN.test(fan)) continue;
        for (const name of disk.list(path.join(repository, 'objects', fan))) {
          if (LOOSE.test(name)) await keep(`objects/${fan}/${name}`);
          if (++count % SLICE === 0) await nextTurn();
        }
      }
      for (let tries = 1; !(await keepPacks()); tries++) {
        if (tries === TRIES)
          throw new Error('packs of the content repository are removed faster than they can be listed');
      }
      // A pack whose index was removed before it was linked has been replaced by others.
      const whole = [...files].filter(([file]) => !file.endsWith('.pack') || files.has(file.replace(/pack$/, 'idx')));
      return { folder: own, files: whole.map(([file, sizeBytes]) => ({ path: file, sizeBytes })), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  };
}

/** For file systems without hard links. */
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
