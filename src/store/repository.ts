// The bare repository's own files: what `git init --bare` would make, without a git binary.
import path from 'node:path';
import type { Disk } from './disk.ts';
import { TEMPORARY_PREFIX } from './packer.ts';

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

/** Makes the repository where there is none; a crash in between leaves one that the next start completes. */
export function initRepository(disk: Disk, repository: string): void {
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']) {
    disk.makeFolder(path.join(repository, folder));
  }
  createWhole(disk, path.join(repository, 'config'), CONFIG);
  createWhole(disk, path.join(repository, 'description'), 'Content of a Colophon site\n');
  createWhole(disk, path.join(repository, 'HEAD'), 'ref: refs/heads/main\n');
}

function createWhole(disk: Disk, file: string, text: string): void {
  if (disk.stat(file)) return;
  const temporary = `${file}.${TEMPORARY_PREFIX}new`;
  disk.remove(temporary);
  disk.createFile(temporary, [Buffer.from(text)]);
  disk.rename(temporary, file);
  disk.syncFolder(path.dirname(file));
}

/** Removes packs that a crash left half-written; other people's temporary files are theirs. */
export function cleanRepository(disk: Disk, repository: string): void {
  const packs = path.join(repository, 'objects', 'pack');
  const names = disk.list(packs);
  for (const name of names) if (name.startsWith(TEMPORARY_PREFIX)) disk.remove(path.join(packs, name));
}
