// Finds programs of this machine once, by absolute path: what runs in a sandbox is not looked up in a PATH again.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';

/** Without a PATH the system's is taken, as shells do. */
export function findProgram(name: string, searchPath = '/usr/bin:/bin'): string | undefined {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return false;
    throw error;
  }
}
