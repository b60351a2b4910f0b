// A data folder that was empty, or missing, before a start or a restore: if that fails, the folder is left as it was.
// Must never remove anything from a folder that had something in it.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { isNobodys } from './private-folder.ts';

/**
 * Call it before the folder is made. The returned function removes everything that was added since, if the folder was
 * fresh, and the parent folders that were made for it.
 */
export function rememberFresh(folder: string): () => void {
  const before = listNames(folder);
  if (before === undefined) {
    const made = missingAbove(folder);
    return () => {
      rmSync(folder, { recursive: true, force: true });
      removeEmpty(made);
    };
  }
  if (!before.every(isNobodys)) return () => undefined;
  return () => {
    const come = (listNames(folder) ?? []).filter((name) => !before.includes(name));
    for (const name of come) rmSync(path.join(folder, name), { recursive: true, force: true });
  };
}

/** The innermost first. */
function missingAbove(folder: string): string[] {
  const parent = path.dirname(folder);
  return existsSync(parent) ? [] : [parent, ...missingAbove(parent)];
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    if (listNames(folder)?.length !== 0) return; // something was put into it meanwhile
    rmdirSync(folder);
  }
}

/** Returns undefined if there is no such folder. */
function listNames(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
