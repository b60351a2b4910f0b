// Explains what is wrong with a data folder, for the operator who starts the service: the system's errors name an
// internal file, and neither the user nor what to do.
import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { codeOf, isCode } from '../lib/error-code.ts';
import { LOCK_FILE } from '../lib/lock-file.ts';

const HOW: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
};
/** SQLITE_CANTOPEN and SQLITE_READONLY: the low byte of SQLite's error code. */
const SQLITE_CLOSED = new Set([14, 8]);

const READ_AND_WRITE = constants.R_OK | constants.W_OK;
const ALL_RIGHTS = READ_AND_WRITE | constants.X_OK;

/** Returns a sentence if the error is about a permission, or about a path that is not a folder; otherwise undefined. */
export function dataFolderProblem(error: unknown, dataDir: string): string | undefined {
  const { code = '', path: file, errcode = 0 } = error as NodeJS.ErrnoException & { errcode?: number };
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    const found = findFile(dataDir);
    return (
      found &&
      `the data folder "${dataDir}" cannot be made: "${found}" is a file (CMS_DATA_DIR or --data names another)`
    );
  }
  const isClosedDatabase = code === 'ERR_SQLITE_ERROR' && SQLITE_CLOSED.has(errcode % 256);
  const place = isClosedDatabase ? path.join(dataDir, LOCK_FILE) : (file ?? pathIn(error));
  const how = isClosedDatabase ? HOW.EACCES : HOW[code];
  if (place === undefined || how === undefined || !isAround(place, dataDir)) return undefined;
  const { username, uid } = userInfo();
  const closed = code === 'EROFS' ? undefined : findClosed(place);
  const what = closed?.path ?? (path.basename(place).startsWith('.tmp-') ? path.dirname(place) : place);
  const [why, remedy] = explain({ code, closed, uid, username, dataDir });
  return `user ${username} (${uid}) cannot use "${what}" for the data folder "${dataDir}": ${why ?? how}; ${remedy}`;
}

/** The error's message without its stack, for the process log: a stack shows where the code was, not what is wrong. */
export function toLogged(error: unknown, dataDir: string): { type: string; message: string; code: string } | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    const message = HOW[code ?? ''] && dataFolderProblem(at, dataDir);
    if (message) return { type: at.name, message, code: code! };
  }
  return undefined;
}

interface Closed {
  path: string;
  owner: number;
  mode: number;
}

/** Why, if more is known than the system reports, and what to do. */
function explain(found: {
  code: string;
  closed: Closed | undefined;
  uid: number;
  username: string;
  dataDir: string;
}): [why: string | undefined, remedy: string] {
  const { code, closed, uid, username, dataDir } = found;
  if (code === 'EROFS') return [undefined, 'name a folder that can be written to with CMS_DATA_DIR or --data'];
  const mode = closed?.mode.toString(8);
  if (closed?.owner === uid) return [`its mode is ${mode}`, `open it to its owner (chmod -R u+rwX ${dataDir})`];
  const owner = closed?.owner === 0 ? 'root' : `user ${closed?.owner}`;
  return [
    closed && `it belongs to ${owner} (mode ${mode})`,
    `start it as the user that the folder belongs to, or give it to this one (chown -R ${username} ${dataDir})`,
  ];
}

/** An error from a thread has only its message and code. */
function pathIn(error: unknown): string | undefined {
  return /'(\/[^']*)'$/.exec((error as Error).message)?.[1];
}

/** The outermost folder on the way to a place, or the place itself, that this process may not use. */
function findClosed(place: string): Closed | undefined {
  const folders: string[] = [];
  for (let at = path.dirname(place); at !== path.dirname(at); at = path.dirname(at)) folders.unshift(at);
  const closed =
    folders.find((folder) => isFolder(folder) && isDenied(folder, constants.X_OK)) ??
    [place, path.dirname(place)].find((one) => isDenied(one, isFolder(one) ? ALL_RIGHTS : READ_AND_WRITE));
  const about = closed === undefined ? undefined : statSync(closed, { throwIfNoEntry: false });
  return about && { path: closed!, owner: about.uid, mode: about.mode & 0o777 };
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Returns false if nothing exists there. */
function isDenied(place: string, mode: number): boolean {
  try {
    accessSync(place, mode);
    return false;
  } catch (error) {
    return HOW[codeOf(error) ?? ''] !== undefined;
  }
}

/** Returns true if a place is in the folder, or above it, where the folder would be made. */
function isAround(place: string, dataDir: string): boolean {
  return `${place}/`.startsWith(`${dataDir}/`) || `${dataDir}/`.startsWith(place === '/' ? '/' : `${place}/`);
}

/** The folder itself or its nearest existing parent, if that is not a folder. */
function findFile(folder: string): string | undefined {
  for (let place = folder; ; place = path.dirname(place)) {
    try {
      return statSync(place).isDirectory() ? undefined : place;
    } catch (error) {
      if (!isCode(error, 'ENOENT', 'ENOTDIR') || place === path.dirname(place)) throw error;
    }
  }
}
