// The data folder is open only to its owner, however it was made: then it does not matter which file modes an earlier
// version, a restore or a copy left in it.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { isCode } from '../lib/error-code.ts';
import type { Logger } from '../lib/logger.ts';
import { makePrivateFolderNow } from './durable.ts';

/** The names that mark a data folder: it has them after its first start, or once a backup was copied into it. */
const OURS = /^(?:sites|lock|secret|key-salt|users|access-tokens|sessions)\b/;
const NOBODYS = /^(?:lost\+found|\..*)$/;

/** Returns true if a name in the folder belongs to the file system or a tool. */
export function isNobodys(name: string): boolean {
  return NOBODYS.test(name);
}

/**
 * Makes the folder if it does not exist. Calls `warn` if others could enter it; leaves the mode as it is if the folder
 * belongs to another user.
 * @throws if others may enter it and it has files, none of them a data folder's: closing a home or a system folder
 * shuts out all its users.
 */
export function keepFolderPrivate(folder: string, warn: Logger['warn']): void {
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
    warn(details, 'the data folder is open to others and belongs to another user: give it to the user of the service');
  }
}

function refuseOther(folder: string): void {
  const names = readdirSync(folder);
  const other = names.find((name) => !isNobodys(name));
  if (other === undefined || names.some((name) => OURS.test(name))) return;
  throw new Error(
    `folder "${folder}" is not a data folder: it has "${other}" and nothing of the service; name a data folder, or an empty one, with CMS_DATA_DIR or --data`,
  );
}
