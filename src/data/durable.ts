// How files outside the repository reach the disk: bytes are synced before they get their name, and the folder with the
// name before a request is answered. Knows nothing of their content.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { makeFolders } from '../lib/make-folders.ts';

/** Temporary files that a crash left behind. */
export const TEMPORARY = /^\.tmp-/;

/**
 * Replaces `file` with what `write` writes, readable only by its owner; the folder must exist. A crash at any moment
 * leaves the old file or the new one. A failure before the new file has its name leaves everything as it was; if only
 * the folder's sync fails, it is unknown which of the two a crash would leave.
 */
export async function replaceDurably(
  file: string,
  write: (to: FileHandle) => Promise<void>,
  temporary = path.join(path.dirname(file), `.tmp-${randomBytes(8).toString('hex')}`),
): Promise<void> {
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await giveToOwner(handle, path.dirname(file));
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

/** A file that root makes belongs to the folder's owner, who could not read it otherwise: the service beside a command. */
async function giveToOwner(file: FileHandle, folder: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await file.chown(uid, gid);
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates folders; each has a durable name before anything is made in it. A folder whose name could not be synced is
 * removed.
 */
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
    // The next attempt must not find it and take it for durable.
    await rmdir(folder);
    throw error;
  }
}

/** Returns false if it exists already. */
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

/** Syncs a file or a folder, at the start. */
export function syncNow(fileOrFolder: string): void {
  const descriptor = openSync(fileOrFolder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
