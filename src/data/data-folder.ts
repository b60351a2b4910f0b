// A folder of small files that are each replaced as a whole: submissions, reports, manifests. A crash at any moment
// leaves the old file or the new one, and nothing of a write that was refused.
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { ServiceError, toStorageError } from '../lib/errors.ts';
import { makeDurably, replaceDurably, syncFolder, TEMPORARY } from './durable.ts';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Returns undefined if there is no such file. */
  read(name: string): Promise<Buffer | undefined>;
  /** Durable once it resolves. Throws `storage_full` if the disk is full; then nothing has changed. */
  write(name: string, bytes: Buffer | string): Promise<void>;
  /** Returns false if there was no such file. Durable once it resolves. */
  remove(name: string): Promise<boolean>;
  /** Names of the files in it, sorted; empty while the folder does not exist. */
  list(): Promise<string[]>;
  /** Names of the folders in it, sorted. */
  folders(): Promise<string[]>;
  /** The folder is made when something is first written into it. */
  folder(name: string): DataFolder;
}

/** One segment that every file system accepts, and that cannot leave the folder or name a temporary file. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/**
 * `folder` is made when something is first written. Names are one segment; any other name throws, because it is a bug.
 * `lost` returns a reason if another process has the folder by now: then no write begins, and a write in progress is
 * not acknowledged.
 */
export function openDataFolder(folder: string, lost: () => string | undefined = () => undefined): DataFolder {
  /** Resolves once the folder exists and its name is durable; tried again after a failure. */
  let made: Promise<void> | undefined;

  const at = (name: string): string => {
    if (!isDataName(name)) throw new Error(`"${name}" is not a name for a file in "${folder}"`);
    return path.join(folder, name);
  };

  function guard(): void {
    const why = lost();
    if (why) throw new ServiceError('unavailable', `${why}; nothing more is written to "${folder}"`);
  }

  async function list(isWanted: (entry: { isFile(): boolean; isDirectory(): boolean }) => boolean): Promise<string[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.flatMap((entry) => (isWanted(entry) && isDataName(entry.name) ? [entry.name] : [])).sort();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  function makeFolder(): Promise<void> {
    made ??= makeDurably(folder).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  }

  async function replace(file: string, bytes: Buffer | string): Promise<void> {
    await makeFolder();
    await replaceDurably(file, (to) => to.writeFile(bytes));
  }

  return {
    path: folder,
    async read(name) {
      try {
        return await readFile(at(name));
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
    async write(name, bytes) {
      guard();
      try {
        await replace(at(name), bytes).catch((error) => {
          // Another program removed the folder under the running service.
          if (!isCode(error, 'ENOENT')) throw error;
          made = undefined;
          return replace(at(name), bytes);
        });
      } catch (error) {
        throw toStorageError(error);
      }
      guard();
    },
    async remove(name) {
      guard();
      try {
        await rm(at(name));
      } catch (error) {
        if (isCode(error, 'ENOENT')) return false;
        throw error;
      }
      await syncFolder(folder);
      guard();
      return true;
    },
    list: () => list((entry) => entry.isFile()),
    folders: () => list((entry) => entry.isDirectory()),
    folder: (name) => openDataFolder(at(name), lost),
  };
}

/** Returns true if a file or folder may have this name; check names from path parameters with it first. */
export function isDataName(name: string): boolean {
  return NAME.test(name) && !name.includes('..');
}

/** Removes what a crash left of writes, in a folder and all below it. Only while nobody writes there: at the start. */
export async function sweepTemporaries(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const { name, parentPath } of entries) {
    if (TEMPORARY.test(name)) await rm(path.join(parentPath, name), { force: true });
  }
}
