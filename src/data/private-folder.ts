// The data folder is for nobody but its owner, whoever made it and however: then it does not matter what may be read of
// what an earlier version, a restore or a copy left in it.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { isCode } from '../lib/error-code.ts';
import type { LogLines } from '../lib/log-lines.ts';
import { makePrivateFolderNow } from './durable.ts';

/** What a data folder has from its first start on, or from whoever puts a backup there. */
const OURS = /^(?:sites|lock|secret|key-salt|users|access-tokens|sessions)\b/;
const NOBODYS = /^(?:lost\+found|\..*)$/;

/** Whether a name in the folder is the file system's, or a tool's. */
export function isNobodys(name: string): boolean {
  return NOBODYS.test(name);
}

/**
 * Made if it is not there. `warn` is told if others could enter it; one that is somebody else's stays as it is.
 * @throws if others may enter it and it has other things and nothing of a data folder: closing a home or a system's folder
 * shuts out all who use it.
 */
export function keepFolderPrivate(folder: string, warn: LogLines['warn']): void {
  makePrivateFolderNow(folder);
  const mode = statSync(folder).mode & 0o7777;
  if ((mode & 0o077) === 0) return;
  refuseOther(folder);
  const details = { folder, mode: mode.toString(8) };
  try {
    chmodSync(folder, mode & ~0o077);
    warn(details, 'the data folder was open to others; it is private now');
  } catch (error) {
    if (!isCode(error, 'EPERM')) throw error;
    warn(details, 'the data folder is open to others, and not ours to close: give it to the user of the service');
  }
}

function refuseOther(folder: string): void {
  const names = readdirSync(folder);
  const other = names.find((name) => !isNobodys(name));
  if (other === undefined || names.some((name) => OURS.test(name))) return;
  throw new Error(
    `${folder} is no data folder: it has "${other}" and nothing of the service; name a data folder, or an empty one, with CMS_DATA_DIR or --data`,
  );
}
