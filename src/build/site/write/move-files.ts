// Moves a folder's files into another folder, and removes files there. Never goes through a symbolic link: one could
// lead out of the output folder.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../../lib/error-code.ts';
import { PlanError } from '../plan/plan-error.ts';

/** Everything that would stop `mergeFolder`, before anything is moved. @throws PlanError */
export function checkTargets(from: string, to: string, isOurs: (file: string) => boolean, below = ''): void {
  for (const entry of fs.readdirSync(path.join(from, below), { withFileTypes: true })) {
    const file = below + entry.name;
    const target = path.join(to, file);
    const there = fs.lstatSync(target, { throwIfNoEntry: false });
    if (there?.isSymbolicLink()) {
      throw new PlanError([`"${target}" is a symbolic link, which the site is not written through; remove it`]);
    }
    if (entry.isDirectory() && there?.isFile() && !isOurs(file)) {
      throw new PlanError([`"${target}" is in the way of the site, and no build made it; remove it`]);
    }
    if (entry.isDirectory() && there?.isDirectory()) checkTargets(from, to, isOurs, `${file}/`);
  }
}

/** A folder that the target does not have is moved as a whole. */
export function mergeFolder(from: string, to: string): void {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory() && fs.existsSync(target)) mergeFolder(source, target);
    else fs.renameSync(source, target);
  }
}

/** Removes files below `folder`, and the folders that they leave empty. */
export function removeFiles(folder: string, files: readonly string[]): void {
  const left = new Set<string>();
  for (const file of files) {
    if (hasLink(folder, file)) continue;
    fs.rmSync(path.join(folder, file), { force: true });
    for (let above = path.dirname(file); above !== '.'; above = path.dirname(above)) left.add(above);
  }
  for (const one of [...left].sort((a, b) => b.length - a.length)) {
    try {
      fs.rmdirSync(path.join(folder, one));
    } catch (error) {
      if (!isCode(error, 'ENOTEMPTY', 'ENOENT', 'ENOTDIR')) throw error;
    }
  }
}

function hasLink(folder: string, file: string): boolean {
  const parts = file.split('/').slice(0, -1);
  return parts.some(
    (_, at) =>
      fs.lstatSync(path.join(folder, ...parts.slice(0, at + 1)), { throwIfNoEntry: false })?.isSymbolicLink() === true,
  );
}
