// Reads the branch with isomorphic-git, which shares no code with this store, as an independent check that the
// repository is valid. It loads whole packs into memory, so it reads only the newest commits.
import fs from 'node:fs';
import git from 'isomorphic-git';
import { isCode } from '../../lib/error-code.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';

const NEWEST = 20;

/** Returns the differences between the two readers in the newest commits and their trees. */
export async function readAgain(repository: string, odb: Odb, head: Oid | null): Promise<string[]> {
  if (!head) return [];
  const place = { fs, gitdir: repository, cache: {} };
  try {
    const log = await git.log({ ...place, ref: 'refs/heads/main', depth: NEWEST });
    const problems: string[] = [];
    if (log[0]?.oid !== head) problems.push(`isomorphic-git finds main at "${log[0]?.oid}", not at "${head}"`);
    for (const { oid, commit } of log) {
      const ours = parseCommit(odb.get(oid, 'commit'));
      if (ours.tree !== commit.tree || ours.parents.join() !== commit.parent.join()) {
        problems.push(`isomorphic-git reads commit "${oid}" differently`);
      }
    }
    const { tree } = await git.readTree({ ...place, oid: head, filepath: 'content' }).catch(noFolder);
    for (const { path, oid, type } of tree) {
      if (type === 'tree' && !odb.has(oid)) problems.push(`tree "${oid}" of folder "content/${path}" is missing`);
    }
    return problems;
  } catch (error) {
    return [`isomorphic-git cannot read the repository: ${(error as Error).message}`];
  }
}

/** A site without documents has no `content` folder. */
function noFolder(error: unknown): { tree: [] } {
  if (isCode(error, 'NotFoundError')) return { tree: [] };
  throw error;
}
