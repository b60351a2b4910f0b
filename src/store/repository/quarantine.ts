// Holds received objects, in a folder next to the repository, until they are accepted: objects of a push that is
// refused, or ends in the middle, never enter the repository. No other program uses these folders; a start removes what
// a crash left in them.
import path from 'node:path';
import { nanoid } from 'nanoid';
import { ServiceError } from '../../lib/errors.ts';
import { isNoSpace, isShortage } from '../../lib/shortage.ts';
import type { Disk } from '../disk/disk.ts';
import { parsePackIndex } from '../git/pack-index.ts';
import type { DiskWork } from './disk-work.ts';
import type { Odb } from './odb.ts';
import { createOdb } from './odb.ts';

export interface Quarantine {
  /** An object folder, for GIT_OBJECT_DIRECTORY; the repository's own objects are its alternates. */
  readonly objects: string;
  /** Reads objects of the quarantine, then of the repository. */
  readonly odb: Odb;
  /**
   * Moves the packs into the repository, durably, and then calls `moveBranch`. Until that has succeeded or failed, each
   * pack has a .keep, so that no repack drops it.
   */
  install<T>(moveBranch: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

export interface QuarantineParts {
  disk: Disk;
  work: DiskWork;
  /** Will hold one folder for each push under way; emptied now. */
  folder: string;
  /** Reads objects of the repository. */
  odb: Odb;
  /** Called after an error of the disk: nothing may build on the state of the repository any more. */
  onFatal(error: unknown): void;
}

/** Returns a function that opens a new, empty quarantine. */
export function createQuarantines({ disk, work, folder, odb, onFatal }: QuarantineParts): () => Promise<Quarantine> {
  const open = new Set<string>();

  for (const name of disk.list(folder)) disk.removeFolder(path.join(folder, name));

  return async () => {
    const name = nanoid();
    const own = path.join(folder, name);
    const ownPacks = path.join(own, 'objects', 'pack');
    open.add(name);
    await work('makeFolderAmong', ownPacks, folder, [...open]);
    const ownOdb = createOdb(disk, own);

    async function installPacks(names: readonly string[]): Promise<void> {
      try {
        // Git wrote them, and its settings may not make it sync. A pack of any size must not block the thread.
        for (const pack of names) {
          for (const extension of ['pack', 'idx'])
            await disk.syncLargeFile(path.join(ownPacks, `${pack}.${extension}`));
        }
        await work('adoptPacks', ownPacks, names);
      } catch (error) {
        if (!isNoSpace(error) && !isShortage(error) && !(error instanceof ServiceError)) onFatal(error);
        throw error;
      }
    }

    return {
      objects: path.join(own, 'objects'),
      odb: createOdbOnTop(ownOdb, odb),
      async install(moveBranch) {
        const names = listPacks(disk, ownPacks);
        try {
          await installPacks(names);
          return await moveBranch();
        } finally {
          await unlessNoSpace(work('releasePacks', names));
        }
      },
      async remove() {
        ownOdb.close();
        open.delete(name);
        await unlessNoSpace(work('removeFolder', own));
      },
    };
  };
}

/** Leftovers are removed with the next quarantine or at the next start, and must not hide the outcome of the push. */
async function unlessNoSpace(tidying: Promise<void>): Promise<void> {
  try {
    await tidying;
  } catch (error) {
    if (!isNoSpace(error) && !isShortage(error)) throw error;
  }
}

/** Lists the packs that contain objects; a push may bring none, if the repository has its commit already. */
function listPacks(disk: Disk, folder: string): string[] {
  return disk
    .list(folder)
    .filter((name) => name.endsWith('.idx') && parsePackIndex(disk.readFile(path.join(folder, name))!).count > 0)
    .map((name) => name.slice(0, -'.idx'.length));
}

/** Looks in `upper`, then in `lower`. */
function createOdbOnTop(upper: Odb, lower: Odb): Odb {
  const odbOf = (oid: string): Odb => (upper.has(oid) ? upper : lower);
  return {
    find: (oid) => odbOf(oid).find(oid),
    get: (oid, type, limitBytes) => odbOf(oid).get(oid, type, limitBytes),
    has: (oid) => upper.has(oid) || lower.has(oid),
    readAhead: (oid, limitBytes) => odbOf(oid).readAhead(oid, limitBytes),
    measure: (oid) => odbOf(oid).measure(oid),
    locate: (oid) => odbOf(oid).locate(oid),
    refresh() {
      upper.refresh();
      lower.refresh();
    },
    close: upper.close,
  };
}
