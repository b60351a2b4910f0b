// Removes the folder of a build, whatever a command did to its modes: Go, for one, writes folders that nobody may change.
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';

/** Follows no link. Does nothing if there is no such folder. */
export async function removeFolder(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM')) throw error;
    await openFolders(folder);
    await remove();
  }
}

async function openFolders(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(path.join(folder, entry.name));
  }
}
