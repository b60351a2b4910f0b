// Makes the names in all folders of a tree durable. The bytes of its files are already: each is synced when it is
// received.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../../lib/error-code.ts';
import { syncFolder } from './durable.ts';

/**
 * ext4 and XFS write all changes of names in the order in which they were made, so that syncing the last folder syncs
 * the earlier ones. Ten thousand syncs take seconds.
 */
const IN_ORDER = new Set([0xef53, 0x58465342]);
const SYNC_TIMEOUT_MS = 60_000;
const run = promisify(execFile);

export async function syncTree(root: string): Promise<void> {
  if (IN_ORDER.has((await fs.promises.statfs(root)).type)) await syncFolder(root);
  else if (!(await syncFileSystem(root))) await syncEachFolder(root);
}

/** The file system as a whole, by the program of coreutils. Returns false if the program is missing, or fails. */
async function syncFileSystem(root: string): Promise<boolean> {
  try {
    await run('sync', ['-f', root], { timeout: SYNC_TIMEOUT_MS });
    return true;
  } catch (error) {
    // One that does not know the option, finds an error of the disk or takes too long ends with a status, not a code.
    if (codeOf(error) !== undefined && codeOf(error) !== 'ENOENT') throw error;
    return false;
  }
}

async function syncEachFolder(folder: string): Promise<void> {
  for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncEachFolder(path.join(folder, entry.name));
  }
  await syncFolder(folder);
}
