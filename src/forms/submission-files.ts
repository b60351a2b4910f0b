// Reads all files of a form in slices of a few milliseconds: a hundred thousand take seconds, and requests continue
// meanwhile. Single files are read and written through their data folder.
import { opendirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import type { Breathe } from '../lib/queues/slices.ts';
import { isSubmissionId } from './submission.ts';

export const EXTENSION = '.json';
/** Entries of a folder that are read at a time. */
const NAMES = 512;
/** Ids that are sorted or merged in one slice. */
const RUN = 4096;

/** In no order; empty if the folder does not exist. */
export async function listIds(folder: string, breathe: Breathe): Promise<string[]> {
  const entries = ifPresent(() => opendirSync(folder, { bufferSize: NAMES }));
  const ids: string[] = [];
  if (!entries) return ids;
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      const { name } = entry;
      const id = name.slice(0, -EXTENSION.length);
      if (name.endsWith(EXTENSION) && isSubmissionId(id)) ids.push(id);
      await breathe();
    }
  } finally {
    entries.closeSync();
  }
  return ids;
}

/** Returns a new array. The engine's own sort of so many ids would block other requests for a tenth of a second. */
export async function sortIds(ids: readonly string[], breathe: Breathe): Promise<string[]> {
  const runs: string[][] = [];
  for (let at = 0; at < ids.length; at += RUN) {
    runs.push(ids.slice(at, at + RUN).sort());
    await breathe();
  }
  while (runs.length > 1) {
    const [a, b] = runs.splice(0, 2) as [string[], string[]];
    const merged: string[] = [];
    for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
      merged.push(j === b.length || (i < a.length && a[i]! < b[j]!) ? a[i++]! : b[j++]!);
      if (merged.length % RUN === 0) await breathe();
    }
    runs.push(merged);
  }
  return runs[0] ?? [];
}

/** Undefined if the file is gone. */
export function readNow(folder: string, id: string): string | undefined {
  return ifPresent(() => readFileSync(path.join(folder, id + EXTENSION), 'utf8'));
}

function ifPresent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
