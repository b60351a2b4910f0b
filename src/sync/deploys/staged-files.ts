// One file of a staged deploy, moved to its place or removed. Refuses symbolic links on the way. Never opens a file of
// the tree: the live tree shares it.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { TreeFile } from '../disk/tree.ts';
import { SyncRefusal } from '../refusal.ts';

/** A body that was received completely and synced. */
export interface UploadedFile extends TreeFile {
  /** Path of the bytes; they are moved from there. */
  temporary: string;
}

/** `onFolder` hears of each folder that is made. */
export async function placeFile(
  root: string,
  file: string,
  { temporary, ...facts }: UploadedFile,
  onFolder: (folder: string) => Promise<void>,
): Promise<TreeFile> {
  for (const folder of foldersAbove(file)) {
    const kind = await kindOf(root, folder);
    if (kind === 'file') throw new SyncRefusal(409, `"${folder}" is a file; remove it first`);
    if (kind !== 'absent') continue;
    await fs.promises.mkdir(path.join(root, folder));
    await onFolder(folder);
  }
  if ((await kindOf(root, file)) === 'folder' && !(await removeIfEmpty(path.join(root, file))))
    throw new SyncRefusal(409, `"${file}" is a folder; remove its files first`);
  await fs.promises.rename(temporary, path.join(root, file));
  return facts;
}

/** Removes folders that become empty too, so that a file may take their place. */
export async function removeFile(root: string, file: string): Promise<void> {
  const above = foldersAbove(file);
  for (const folder of above) {
    if ((await kindOf(root, folder)) !== 'folder') return;
  }
  const kind = await kindOf(root, file);
  if (kind === 'absent') return;
  if (kind === 'folder') throw new SyncRefusal(409, `"${file}" is a folder`);
  await fs.promises.unlink(path.join(root, file));
  for (const folder of above.reverse()) {
    if (!(await removeIfEmpty(path.join(root, folder)))) return;
  }
}

/** The outermost first. */
function foldersAbove(file: string): string[] {
  const segments = file.split('/').slice(0, -1);
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
}

/** @throws SyncRefusal 409 for a symbolic link, or anything else that no deploy has */
async function kindOf(root: string, place: string): Promise<'absent' | 'file' | 'folder'> {
  try {
    const found = await fs.promises.lstat(path.join(root, place));
    if (found.isDirectory()) return 'folder';
    if (found.isFile()) return 'file';
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return 'absent';
    throw error;
  }
  throw new SyncRefusal(409, `"${place}" is neither a file nor a folder`);
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await fs.promises.rmdir(folder);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
    throw error;
  }
}
