// Writes files into the folder where they wait for the whole site.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { MadeFile } from './file-list.ts';

export interface StagedFiles {
  write(file: string, bytes: Buffer): void;
  copy(file: string, from: string): void;
}

export function createStagedFiles(staging: string): StagedFiles {
  const folders = new Set<string>([staging]);

  /** Node's recursive one looks at every folder above each time. */
  function makeFolder(folder: string): void {
    if (folders.has(folder)) return;
    makeFolder(path.dirname(folder));
    fs.mkdirSync(folder);
    folders.add(folder);
  }

  function place(file: string): string {
    const target = `${staging}/${file}`;
    makeFolder(path.dirname(target));
    return target;
  }

  return {
    write: (file, bytes) => fs.writeFileSync(place(file), bytes),
    copy: (file, from) => fs.copyFileSync(from, place(file), fs.constants.COPYFILE_FICLONE),
  };
}

export function toMadeFile(bytes: Buffer): MadeFile {
  return { sizeBytes: bytes.length, sha256: hash('sha256', bytes) };
}
