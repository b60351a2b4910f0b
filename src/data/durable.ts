// How files beside the repository get onto the disk: bytes are synced before they get their name, and the folder that has
// the name before anybody is told. It knows nothing of what is in them.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { makeFolders } from '../lib/make-folders.ts';

/** What a crash leaves of a write that had no name for it. */
export const TEMPORARY = /^\.tmp-/;

/**
 * Puts what `write` writes in the place of `file`, which only its owner may read; its folder is there. A crash at any
 * moment leaves the old file or the new one. What fails before the new one has its name leaves everything as it was;
 * where only the folder's sync fails, nobody knows which of them a crash would leave.
 */
export async function replaceDurably(
  file: string,
  write: (to: FileHandle) => Promise<void>,
  temporary = path.join(path.dirname(file), `.tmp-${randomBytes(8).toString('hex')}`),
): Promise<void> {
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Makes the names in it durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates folders; each has a durable name before something is made in it. One that could not get it is removed. */
export async function makeDurably(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  let isNew: boolean;
  try {
    isNew = await makeFolder(folder);
  } catch (error) {
    if (!isCode(error, 'ENOENT') || parent === folder) throw error;
    await makeDurably(parent);
    isNew = await makeFolder(folder);
  }
  if (!isNew) return;
  try {
    await syncFolder(parent);
  } catch (error) {
    // Whoever tries again must not find it and think it durable.
    await rmdir(folder);
    throw error;
  }
}

/** False where it is there already. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Like `makeDurably`, at the start, for folders that only their owner may enter. */
export function makePrivateFolderNow(folder: string): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  makePrivateFolderNow(parent);
  makeFolders({ mkdirSync, statSync }, folder, 0o700);
  try {
    syncNow(parent);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
}

/** A file or a folder, at the start. */
export function syncNow(fileOrFolder: string): void {
  const descriptor = openSync(fileOrFolder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
