// Explains what is wrong with a file or folder that a command was asked to write: the system's errors name a temporary
// file, and not what to do.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { failure } from './failure.ts';

const HOW: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of that path is a file',
};

/** Call it before any work is done for the file. @throws a failure if neither the file nor its folders can be made */
export function checkFilePlace(file: string): void {
  let folder = path.dirname(path.resolve(file));
  while (!existsSync(folder)) folder = path.dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw toFilePlaceError(error, file);
  }
}

/** For a file, which is written under a temporary name first; returns any other error unchanged. */
export function toFilePlaceError(error: unknown, file: string): unknown {
  const folder = path.dirname(path.resolve(file));
  const { code, path: named } = error as NodeJS.ErrnoException;
  const failed = named && path.resolve(named);
  const isThere = failed !== undefined && (`${folder}/`.startsWith(`${failed}/`) || path.dirname(failed) === folder);
  const missing = existsSync(folder) ? 'its folder accepts no files' : `there is no folder "${folder}"`;
  const how = code === 'ENOENT' ? missing : HOW[code ?? ''];
  return isThere && how !== undefined
    ? failure(`"${file}" cannot be written: ${how}; name a file in a folder that can be written to`, 1, error)
    : error;
}

/** For a folder that several files are written into; returns any other error unchanged. */
export function toFolderPlaceError(error: unknown, folder: string): unknown {
  const { code, path: failed } = error as NodeJS.ErrnoException;
  const how = HOW[code ?? ''];
  return failed !== undefined && how !== undefined
    ? failure(`"${failed}" cannot be made for "${folder}": ${how}; name a folder that can be written to`, 1, error)
    : error;
}
