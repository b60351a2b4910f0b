// Makes a folder and its parents. `mkdirSync(..., { recursive: true })` never returns for a folder that the file system
// refuses, such as /proc/x: mkdir fails with ENOENT there, and Node then makes the parent, which exists, again and
// again.
import path from 'node:path';
import { isCode } from './error-code.ts';

interface Files {
  mkdirSync(folder: string, options: { mode?: number }): unknown;
  statSync(folder: string, options: { throwIfNoEntry: false }): { isDirectory(): boolean } | undefined;
}

/**
 * Does nothing if the folder exists. @throws the system's errors, and one of code `ENOENT` that names what cannot be
 * made.
 */
export function makeFolders(files: Files, folder: string, mode?: number): void {
  try {
    files.mkdirSync(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    const isThere = isCode(error, 'EEXIST') && files.statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if (isThere) return;
    if (!isCode(error, 'ENOENT')) throw error;
    const parent = path.dirname(path.resolve(folder));
    if (files.statSync(parent, { throwIfNoEntry: false }))
      throw Object.assign(new Error(`folder "${folder}" cannot be made: its file system does not allow it`), {
        code: 'ENOENT',
      });
    makeFolders(files, parent, mode);
    makeFolders(files, folder, mode);
  }
}
