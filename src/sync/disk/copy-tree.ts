// Makes a tree a copy of another that shares its files by hard links. It blocks, so a large one is copied in a
// thread of its own (tree-work.ts); it must not open a file.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { TreeFiles } from './tree.ts';

/**
 * Makes `to` a copy of `from`, which has these files. No bytes are copied if the file system has hard links. If `to`
 * exists, what is the same in it stays: folders are expensive to make and to remove.
 */
export function copyTree(from: string, files: TreeFiles, to: string): void {
  fs.mkdirSync(to, { recursive: true });
  const folders = new Set<string>();
  for (const file of files.keys()) addFoldersAbove(file, folders);
  const kept = keepSame(to, files, folders);
  for (const folder of folders) if (!kept.has(folder)) fs.mkdirSync(path.join(to, folder), { recursive: true });
  for (const file of files.keys()) if (!kept.has(file)) linkFile(path.join(from, file), path.join(to, file));
}

/** Outer folders are added before inner ones. */
function addFoldersAbove(file: string, folders: Set<string>): void {
  const end = file.lastIndexOf('/');
  if (end < 0) return;
  const folder = file.slice(0, end);
  if (folders.has(folder)) return;
  addFoldersAbove(folder, folders);
  folders.add(folder);
}

/** Removes what is not to be in the tree, and returns the paths of what is. */
function keepSame(root: string, files: TreeFiles, folders: ReadonlySet<string>): Set<string> {
  const kept = new Set<string>();
  const visit = (folder: string): void => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const full = path.join(root, place);
      if (entry.isDirectory() && folders.has(place)) {
        kept.add(place);
        visit(place);
      } else if (entry.isFile() && files.get(place)?.ino === fs.lstatSync(full).ino) kept.add(place);
      else fs.rmSync(full, { recursive: true, force: true });
    }
  };
  visit('');
  return kept;
}

function linkFile(source: string, target: string): void {
  try {
    fs.linkSync(source, target);
  } catch (error) {
    // A file that was removed by hand is missing in the live site already.
    if (isCode(error, 'ENOENT')) return;
    if (!isCode(error, 'EPERM', 'EMLINK', 'ENOTSUP', 'EXDEV', 'ENOSYS')) throw error;
    fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE);
  }
}
