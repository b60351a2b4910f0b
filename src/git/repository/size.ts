import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';

/** How much the files of a folder have together, without these of its folders. What goes meanwhile counts as nothing. */
export async function sizeOf(folder: string, without: readonly string[] = []): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifGone([]));
  let sizeBytes = 0;
  for (const entry of entries) {
    if (without.includes(entry.name)) continue;
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) sizeBytes += await sizeOf(at);
    else if (entry.isFile()) sizeBytes += (await stat(at).catch(ifGone({ size: 0 }))).size;
  }
  return sizeBytes;
}

function ifGone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isCode(error, 'ENOENT')) return instead;
    throw error;
  };
}
