// Objects that somebody sends wait here, in a folder beside the repository, until they are accepted: what is refused, or
// ends in the middle, never was in the repository. The folders are ours alone; what a crash left in them goes at the next
// start. Git itself writes into them, so they are the real disk's, whatever disk the store has.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Disk } from './disk.ts';
import type { Odb } from './odb.ts';
import { createOdb } from './odb.ts';
import { parsePackIndex } from './pack-index.ts';
import { guardPack, releasePack } from './packer.ts';

export interface Quarantine {
  /** An object folder, for GIT_OBJECT_DIRECTORY; the repository's own objects are its alternates. */
  readonly objects: string;
  /** Reads what is in here, then what the repository has. */
  readonly odb: Odb;
  /**
   * Moves the packs into the repository, durably, each with a .keep, so that no repack drops them before the branch has
   * moved. The answer takes the .keep away again, whether it has or never will.
   */
  install(): Promise<() => void>;
  remove(): void;
}

export interface QuarantineParts {
  disk: Disk;
  /** Holds one folder for each push under way; emptied now. */
  folder: string;
  repository: string;
  /** The repository's. */
  odb: Odb;
}

/** Answers a function that opens a new, empty one. */
export function createQuarantines({ disk, folder, repository, odb }: QuarantineParts): () => Quarantine {
  const packs = path.join(repository, 'objects', 'pack');
  const open = new Set<string>();

  function removeOthers(): void {
    for (const name of disk.list(folder)) if (!open.has(name)) removeFolder(path.join(folder, name));
  }
  removeOthers();

  return () => {
    removeOthers();
    const name = randomUUID();
    const own = path.join(folder, name);
    const ownPacks = path.join(own, 'objects', 'pack');
    open.add(name);
    fs.mkdirSync(ownPacks, { recursive: true });
    const ownOdb = createOdb(disk, own);

    async function installPack(pack: string): Promise<void> {
      const final = path.join(packs, pack);
      guardPack(disk, packs, pack);
      if (disk.stat(`${final}.idx`) && disk.stat(`${final}.pack`)) return;
      for (const extension of ['pack', 'idx']) await sync(path.join(ownPacks, `${pack}.${extension}`));
      // Git looks for `.idx` first, so a half-made pair is never seen.
      for (const extension of ['pack', 'idx']) {
        disk.rename(path.join(ownPacks, `${pack}.${extension}`), `${final}.${extension}`);
      }
    }

    return {
      objects: path.join(own, 'objects'),
      odb: createOdbOnTop(ownOdb, odb),
      async install() {
        const names = listPacks(disk, ownPacks);
        const release = (): void => names.forEach((pack) => releasePack(disk, packs, pack));
        try {
          for (const pack of names) await installPack(pack);
          disk.syncFolder(packs);
        } catch (error) {
          release();
          throw error;
        }
        return release;
      },
      remove() {
        ownOdb.close();
        open.delete(name);
        removeFolder(own);
      },
    };
  };
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
    measure: (oid) => odbOf(oid).measure(oid),
    locate: (oid) => odbOf(oid).locate(oid),
    refresh() {
      upper.refresh();
      lower.refresh();
    },
    close: upper.close,
  };
}

async function sync(file: string): Promise<void> {
  const handle = await fs.promises.open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A git process that is just being ended may still put a file there. */
function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
}
