// Writes files below a folder, and makes the folders above them.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../../lib/error-code.ts';

export interface FileWriter {
  write(file: string, bytes: Uint8Array): void;
  copy(file: string, from: string): void;
}

export function createFileWriter(root: string): FileWriter {
  const folders = new Set<string>([root]);

  /** Node's recursive one looks at every folder above each time. */
  function makeFolder(folder: string): void {
    if (folders.has(folder)) return;
    makeFolder(path.dirname(folder));
    try {
      fs.mkdirSync(folder);
    } catch (error) {
      // Another writer works in the same folder.
      if (!isCode(error, 'EEXIST')) throw error;
    }
    folders.add(folder);
  }

  function place(file: string): string {
    const target = `${root}/${file}`;
    makeFolder(path.dirname(target));
    return target;
  }

  return {
    write: (file, bytes) => fs.writeFileSync(place(file), bytes),
    copy: (file, from) => fs.copyFileSync(from, place(file), fs.constants.COPYFILE_FICLONE),
  };
}
