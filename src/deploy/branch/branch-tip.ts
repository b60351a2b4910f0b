// What is known of the branch's newest commit: the objects that the host has and a push leaves out. Kept from one deploy
// to the next in a disposable file, which is believed only if it agrees with itself and with the branch.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isCode } from '../../lib/error-code.ts';
import type { Oid } from '../../store/git/objects.ts';
import { type BranchFile, type FolderTree, toSiteTrees } from './site-trees.ts';

export interface BranchTip {
  /** Null if the branch does not exist. */
  commit: Oid | null;
  /** Tree of the commit; undefined if it is not known. */
  root: Oid | undefined;
  /** Blobs and trees of the commit, as far as they are known. */
  has: ReadonlySet<Oid>;
  folders: ReadonlyMap<string, FolderTree>;
  growth: Growth;
}

/** How far the branch has grown since its first commit, as its newest commit says. */
export interface Growth {
  commits: number;
  sentBytes: number;
}

export const NO_GROWTH: Growth = { commits: 0, sentBytes: 0 };

const BranchMemory = z.object({
  version: z.literal(1),
  /** Where the commit is: a cache of another repository is of no use. */
  place: z.string(),
  commit: z.string(),
  root: z.string(),
  growth: z.object({ commits: z.int().min(0), sentBytes: z.int().min(0) }),
  files: z.array(z.tuple([z.string(), z.string().length(64), z.string().length(40)])),
});

/** A published file with the digest of its bytes, which saves reading them again, and its id as a blob. */
export interface HashedFile extends BranchFile {
  sha256: string;
}

export interface RememberedBranch {
  commit: Oid;
  root: Oid;
  growth: Growth;
  files: readonly HashedFile[];
}

/** In the cache folder. */
export const MEMORY_FILE = 'branch.json';

/** Undefined if nothing is remembered, or what is does not agree with itself: then the host is asked. */
export async function recall(cacheFolder: string, place: string): Promise<RememberedBranch | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(cacheFolder, MEMORY_FILE), 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const parsed = BranchMemory.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.place !== place) return undefined;
  const { commit, root, growth } = parsed.data;
  const files = parsed.data.files.map(([file, sha256, oid]) => ({ path: file, sha256, oid }));
  return toSiteTrees(files).root === root ? { commit, root, growth, files } : undefined;
}

export function toMemoryText(place: string, { commit, root, growth, files }: RememberedBranch): string {
  const rows = files.map(({ path: file, sha256, oid }): [string, string, string] => [file, sha256, oid]);
  return JSON.stringify({ version: 1, place, commit, root, growth, files: rows } satisfies z.input<
    typeof BranchMemory
  >);
}

export function tipOf({ commit, root, growth, files }: RememberedBranch): BranchTip {
  const { folders } = toSiteTrees(files);
  const has = new Set<Oid>(files.map(({ oid }) => oid));
  for (const { oid } of folders.values()) has.add(oid);
  return { commit, root, has, folders, growth };
}

/** A branch of which nothing is known but where it is. */
export function unknownTip(commit: Oid | null): BranchTip {
  return { commit, root: undefined, has: new Set(), folders: new Map(), growth: NO_GROWTH };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
