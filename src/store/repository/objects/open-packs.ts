// The open packs of a repository. Packs may be added and removed at any time (git gc, our own maintenance).
import path from 'node:path';
import type { Disk, ReadHandle } from '../../disk/disk.ts';
import type { Oid } from '../../git/objects.ts';
import { type PackIndex, parsePackIndex } from '../../git/pack-index.ts';

export interface Pack {
  name: string;
  index: PackIndex;
  handle: ReadHandle;
}

/** An entry of a pack. */
export interface PackPlace {
  pack: Pack;
  offset: number;
}

export interface OpenPacks {
  find(name: string): Pack | undefined;
  /** Looks for the object in the known packs. */
  locate(oid: Oid): PackPlace | undefined;
  /** Lists the folder: opens new packs and closes those that are gone. */
  scan(): void;
  /** The next `locate` scans first. */
  forget(): void;
  close(): void;
}

/** A pack for which `isRetired` is true is not opened: its objects are all in another one (retired-packs.ts). */
export function createOpenPacks(disk: Disk, folder: string, isRetired: (pack: string) => boolean): OpenPacks {
  const packs = new Map<string, Pack>();
  let scanned = false;
  /** The objects of a commit and its neighbours are usually in the same pack. */
  let lastHit: Pack | undefined;

  function scan(): void {
    const indexes = disk.list(folder).flatMap((file) => (file.endsWith('.idx') ? [file.slice(0, -4)] : []));
    const names = new Set(indexes.filter((name) => !isRetired(name)));
    for (const [name, pack] of packs) {
      if (names.has(name)) continue;
      pack.handle.close();
      packs.delete(name);
      if (pack === lastHit) lastHit = undefined;
    }
    for (const name of names) {
      if (packs.has(name)) continue;
      const index = readIndex(disk, path.join(folder, `${name}.idx`));
      const handle = index && disk.openForReading(path.join(folder, `${name}.pack`));
      if (handle) packs.set(name, { name, index, handle });
    }
    scanned = true;
  }

  function locate(oid: Oid): PackPlace | undefined {
    if (!scanned) scan();
    const id = Buffer.from(oid, 'hex');
    if (lastHit) {
      const place = lastHit.index.find(id);
      if (place >= 0) return { pack: lastHit, offset: lastHit.index.offsetAt(place) };
    }
    for (const pack of packs.values()) {
      const place = pack === lastHit ? -1 : pack.index.find(id);
      if (place < 0) continue;
      lastHit = pack;
      return { pack, offset: pack.index.offsetAt(place) };
    }
    return undefined;
  }

  return {
    find: (name) => packs.get(name),
    locate,
    scan,
    forget: () => void (scanned = false),
    close() {
      for (const pack of packs.values()) pack.handle.close();
      packs.clear();
      lastHit = undefined;
      scanned = false;
    },
  };
}

function readIndex(disk: Disk, file: string): PackIndex | undefined {
  const bytes = disk.readFile(file);
  try {
    return bytes && parsePackIndex(bytes);
  } catch (cause) {
    throw new Error(`pack index "${file}" cannot be read: ${(cause as Error).message}`, { cause });
  }
}
