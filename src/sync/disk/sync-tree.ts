// Makes the names in all folders of a tree durable. The bytes of its files are already: each is synced when it is
// received. It blocks, so it runs in a thread of its own (tree-work.ts).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../lib/error-code.ts';

/**
 * ext4 and XFS write all changes of names in the order in which they were made, so that syncing the last folder syncs
 * the earlier ones. Ten thousand syncs take seconds.
 */
const IN_ORDER = new Set([0xef53, 0x58465342]);
const SYNC_TIMEOUT_MS = 60_000;

export function syncTree(root: string): void {
  if (IN_ORDER.has(fs.statfsSync(root).type)) syncFolderNow(root);
  else if (!syncFileSystem(root)) syncEachFolder(root);
}

/** The file system as a whole, by the program of coreutils. Returns false if there is no such program. */
function syncFileSystem(root: string): boolean {
  try {
    execFileSync('sync', ['-f', root], { stdio: 'ignore', timeout: SYNC_TIMEOUT_MS });
    return true;
  } catch (error) {
    // A program that does not know the option, or finds an error of the disk, ends with a status and no code.
    if (codeOf(error) !== undefined && codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ETIMEDOUT') throw error;
    return false;
  }
}

function syncEachFolder(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncEachFolder(path.join(folder, entry.name));
  }
  syncFolderNow(folder);
}

function syncFolderNow(folder: string): void {
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
