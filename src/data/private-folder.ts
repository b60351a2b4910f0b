// The data folder is for nobody but its owner, whoever made it and however: then it does not matter what may be read of
// what an earlier version, a restore or a copy left in it.
import { chmodSync, statSync } from 'node:fs';
import { makePrivateFolderNow } from './durable.ts';

/** Made if it is not there. `warn` is told if others could enter it; one that is somebody else's stays as it is. */
export function keepFolderPrivate(folder: string, warn: (details: object, message: string) => void): void {
  makePrivateFolderNow(folder);
  const mode = statSync(folder).mode & 0o7777;
  if ((mode & 0o077) === 0) return;
  const details = { folder, mode: mode.toString(8) };
  try {
    chmodSync(folder, mode & ~0o077);
    warn(details, 'the data folder was open to others; it is private now');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    warn(details, 'the data folder is open to others, and not ours to close: give it to the user of the service');
  }
}
