// The hashes that a host knows files by, computed once for each content and kept in the provider's cache folder. The
// cache may be lost or damaged at any time: it saves work and decides nothing that the host does not check.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { inParallel } from '../providers/in-parallel.ts';
import type { PublishedFile } from '../providers/provider.ts';

export interface HashKind {
  /** Names the cache's file. */
  name: string;
  /** Hex digits of a hash. */
  length: number;
  /** What the hash depends on beside the bytes, such as the extension; a text without spaces. */
  salt?(file: PublishedFile): string;
  compute(file: PublishedFile, signal: AbortSignal): Promise<string>;
}

/** More would only wait for the same disk and thread. */
const AT_ONCE = 4;

/**
 * The hash of each file by its path. Reads only files whose content it has not seen before; the cache then has exactly
 * these files.
 */
export async function hashesOf(
  kind: HashKind,
  files: readonly PublishedFile[],
  { cacheFolder, signal }: { cacheFolder: string; signal: AbortSignal },
): Promise<Map<string, string>> {
  const place = join(cacheFolder, `${kind.name}.txt`);
  const known = await readCache(place, kind.length);
  const keyOf = (file: PublishedFile): string => file.sha256 + (kind.salt?.(file) ?? '');
  const unknown = new Map(files.filter((file) => !known.has(keyOf(file))).map((file) => [keyOf(file), file]));
  await inParallel(unknown, AT_ONCE, signal, async ([key, file], either) => {
    known.set(key, await kind.compute(file, either));
  });
  const kept = new Map(files.map((file) => [keyOf(file), known.get(keyOf(file)) ?? '']));
  if (unknown.size > 0 || kept.size < known.size) await writeCache(cacheFolder, place, kept);
  return new Map(files.map((file) => [file.path, kept.get(keyOf(file)) ?? '']));
}

async function readCache(place: string, length: number): Promise<Map<string, string>> {
  const text = await readFile(place, 'latin1').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  });
  const line = new RegExp(`^([0-9a-f]{64}\\S*) ([0-9a-f]{${length}})$`);
  const entries = text.split('\n').flatMap((entry) => {
    const [, key, hash] = line.exec(entry) ?? [];
    return key !== undefined && hash !== undefined ? [[key, hash] as const] : [];
  });
  return new Map(entries);
}

/** A crash leaves the old cache or the new one, or one that was cut off, whose last line is then ignored. */
async function writeCache(folder: string, place: string, hashes: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = [...hashes].map(([key, hash]) => `${key} ${hash}\n`);
  await writeFile(`${place}.new`, lines.join(''), 'latin1');
  await rename(`${place}.new`, place);
}
