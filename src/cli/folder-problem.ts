// What is wrong with a data folder, in a sentence for whoever starts the service: errors of the system name a file that
// they never heard of, and neither the user nor what to do.
import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

const HOW: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
};
/** SQLITE_CANTOPEN and SQLITE_READONLY, in the low byte of what SQLite says. */
const SQLITE_CLOSED = new Set([14, 8]);

/** A sentence if the error is about a right, or a folder that is none; else undefined. */
export function folderProblem(error: unknown, dataDir: string): string | undefined {
  const { code = '', path: file, errcode = 0 } = error as NodeJS.ErrnoException & { errcode?: number };
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    const found = findFile(dataDir);
    return (
      found && `the data folder ${dataDir} cannot be made: ${found} is a file (CMS_DATA_DIR or --data names another)`
    );
  }
  const isClosedDatabase = code === 'ERR_SQLITE_ERROR' && SQLITE_CLOSED.has(errcode % 256);
  const place = isClosedDatabase ? firstClosed([path.join(dataDir, 'lock.sqlite'), dataDir]) : file;
  const how = isClosedDatabase ? 'permission denied' : HOW[code];
  if (place === undefined || how === undefined || !isAround(place, dataDir)) return undefined;
  const what = path.basename(place).startsWith('.tmp-') ? path.dirname(place) : place;
  const { username, uid } = userInfo();
  const remedy =
    code === 'EROFS'
      ? 'name a folder that can be written to with CMS_DATA_DIR or --data'
      : `start it as the user that the folder belongs to, or give it to this one (chown -R ${username} ${dataDir})`;
  return `user ${username} (${uid}) cannot use ${what} for the data folder ${dataDir}: ${how}; ${remedy}`;
}

/** In the folder, or above it, where it would be made. */
function isAround(place: string, dataDir: string): boolean {
  return `${place}/`.startsWith(`${dataDir}/`) || `${dataDir}/`.startsWith(place === '/' ? '/' : `${place}/`);
}

/** The folder itself or what it would be in, if that is no folder. */
function findFile(folder: string): string | undefined {
  for (let place = folder; ; place = path.dirname(place)) {
    try {
      return statSync(place).isDirectory() ? undefined : place;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || place === path.dirname(place)) throw error;
    }
  }
}

function firstClosed(places: string[]): string | undefined {
  return places.find((place) => {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return true;
    }
  });
}
