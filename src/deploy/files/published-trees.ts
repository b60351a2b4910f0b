// Which tree each of the last publications on a host was, by the host's id: a host says what is live only by that id.
// Kept in the provider's cache folder; without it an unchanged tree is published again, which sends no file.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isCode } from '../../lib/error-code.ts';
import type { PublishedFile } from '../providers/provider.ts';

const MAX_KEPT = 50;
const Trees = z.array(z.object({ hostId: z.string(), tree: z.string() })).catch([]);
type Trees = z.output<typeof Trees>;

/** Identifies paths and contents: hex of a sha256. */
export function treeOf(files: readonly PublishedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256 } of files) hash.update(`${sha256} ${path}\0`);
  return hash.digest('hex');
}

/** Undefined if this service did not publish it, or has forgotten it. `place` names the project on the host. */
export async function findTree(cacheFolder: string, place: string, hostId: string): Promise<string | undefined> {
  const trees = await read(cacheFolder);
  return trees.find((entry) => entry.hostId === toKey(place, hostId))?.tree;
}

export async function rememberTree(cacheFolder: string, place: string, hostId: string, tree: string): Promise<void> {
  const key = toKey(place, hostId);
  const others = (await read(cacheFolder)).filter((entry) => entry.hostId !== key);
  await mkdir(cacheFolder, { recursive: true });
  const file = join(cacheFolder, 'trees.json');
  await writeFile(`${file}.new`, JSON.stringify([{ hostId: key, tree }, ...others].slice(0, MAX_KEPT)));
  await rename(`${file}.new`, file);
}

function toKey(place: string, hostId: string): string {
  return `${place} ${hostId}`;
}

async function read(cacheFolder: string): Promise<Trees> {
  try {
    return Trees.parse(JSON.parse(await readFile(join(cacheFolder, 'trees.json'), 'utf8')));
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return [];
    throw error;
  }
}
