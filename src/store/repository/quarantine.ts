// Objects that somebody sends wait here, in a folder beside the repository, until they are accepted: what is refused, or
// ends in the middle, never was in the repository. The folders are ours alone; what a crash left in them goes at the next
// start.
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
  /** Reads what is in here, then what the repository has. */
  readonly odb: Odb;
  /**
   * Moves the packs into the repository, durably, and then runs what moves the branch: until that has ended, whichever
   * way, each has a .keep, so that no repack drops it.
   */
  install<T>(moveBranch: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

export interface QuarantineParts {
  disk: Disk;
  work: DiskWork;
  /** Holds one folder for each push under way; emptied now. */
  folder: string;
  /** The repository's. */
  odb: Odb;
  /** After an error of the disk nobody may go on from what is in the repository. */
  onFatal(error: unknown): void;
}

/** Answers a function that opens a new, empty one. */
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
        // Git wrote them, and as somebody's settings may have it, not durably. A pack of any size must not hold up the thread.
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
          await unlessNoRoom(work('releasePacks', names));
        }
      },
      async remove() {
        ownOdb.close();
        open.delete(name);
        await unlessNoRoom(work('removeFolder', own));
      },
    };
  };
}

/** What is left now goes with the next one, or at the next start; what became of the push is told as it is. */
async function unlessNoRoom(tidying: Promise<void>): Promise<void> {
  try {
    await tidying;
  } catch (error) {
    if (!isNoSpace(error) && !isShortage(error)) throw error;
  }
}

/** Those with an object in them; a branch may be moved to a commit that the repository has already. */
function listPacks(disk: Disk, folder: string): string[] {
  return disk
    .list(folder)
    .filter((name) => name.endsWith('.idx') && parsePackIndex(disk.readFile(path.join(folder, name))!).count > 0)
    .map((name) => name.slice(0, -'.idx'.length));
}

/** Misses of the upper one are looked for in the lower. */
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
