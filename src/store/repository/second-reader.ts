// Reads the branch with isomorphic-git, which shares no code with this store: that what we wrote is git is then not only
// our own word. Its reader takes whole packs into memory, so it is asked for the newest commits and not for all.
import fs from 'node:fs';
import git from 'isomorphic-git';
import { isCode } from '../../lib/error-code.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';

const NEWEST = 20;

/** Where the two readers disagree about the newest commits and their trees; empty where they do not. */
export async function readAgain(repository: string, odb: Odb, head: Oid | null): Promise<string[]> {
  if (!head) return [];
  const place = { fs, gitdir: repository, cache: {} };
  try {
    const log = await git.log({ ...place, ref: 'refs/heads/main', depth: NEWEST });
    const problems: string[] = [];
    if (log[0]?.oid !== head) problems.push(`isomorphic-git finds the branch at ${log[0]?.oid}, not at ${head}`);
    for (const { oid, commit } of log) {
      const ours = parseCommit(odb.get(oid, 'commit'));
      if (ours.tree !== commit.tree || ours.parents.join() !== commit.parent.join()) {
        problems.push(`isomorphic-git reads commit ${oid} otherwise`);
      }
    }
    const { tree } = await git.readTree({ ...place, oid: head, filepath: 'content' }).catch(noFolder);
    for (const { path, oid, type } of tree) {
      if (type === 'tree' && !odb.has(oid)) problems.push(`content/${path}: tree ${oid} is missing`);
    }
    return problems;
  } catch (error) {
    return [`isomorphic-git cannot read the repository: ${(error as Error).message}`];
  }
}

/** A site without a document has no `content` folder. */
function noFolder(error: unknown): { tree: [] } {
  if (isCode(error, 'NotFoundError')) return { tree: [] };
  throw error;
}
