// A data folder that was empty, or missing, before a start: a start that fails leaves it as it was. Must never remove
// anything from a folder that had something in it.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Looks before the folder is made. The function returned removes what has come since, if the folder was fresh. */
export function rememberFresh(folder: string): () => void {
  const before = listNames(folder);
  if (before === undefined) return () => rmSync(folder, { recursive: true, force: true });
  if (before.length > 0) return () => undefined;
  return () => {
    for (const name of listNames(folder) ?? []) rmSync(path.join(folder, name), { recursive: true, force: true });
  };
}

/** Undefined if there is no such folder. */
function listNames(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
