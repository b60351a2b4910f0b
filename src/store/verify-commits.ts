// The log's commits, from the branch back to the first: each is held to the log's rules and checked together with what
// it introduced, oldest first, which is the order on the disk. The event loop gets its turn in between.
import { type Oid, type Person, parseCommit, parseTrailers } from './git/objects.ts';
import type { Notes } from './repository/notes.ts';
import { createHashedRead, createTreeCheck, type TreeCheckParts } from './verify-trees.ts';

export interface VerifyProgress {
  stage: 'packs' | 'commits' | 'objects';
  done: number;
  /** 0 while it is not known. */
  total: number;
}

export interface CommitCheckParts extends TreeCheckParts {
  notes: Pick<Notes, 'has'>;
  /** Whose commits are held to the log's rules. */
  committer: Person;
  onProgress(progress: VerifyProgress): void;
}

const SLICE_COMMITS = 100;

export async function verifyCommits(parts: CommitCheckParts, head: Oid): Promise<void> {
  const { odb, counts, findings, onProgress } = parts;
  const { attempt, report } = findings;
  const { checkTree, compareTree } = createTreeCheck(parts);
  const checkRules = createRuleCheck(parts);
  const { chain, sides, isWhole } = await listCommits(parts, head);
  counts.commits = chain.length + sides.size;
  const files = new Map<string, Oid>();
  const check = (commit: Oid, into?: Map<string, Oid>): void => {
    attempt({ commit }, () => {
      const body = odb.get(commit, 'commit');
      checkRules(commit, body);
      const { tree, parents } = parseCommit(body);
      const before = parents[0] ? parseCommit(odb.get(parents[0], 'commit')).tree : null;
      checkTree(commit, '', before, tree, into);
    });
  };
  let done = 0;
  for (const commit of chain.reverse()) {
    await tick(onProgress, 'objects', done++, counts.commits);
    check(commit, files);
  }
  for (const commit of sides) {
    await tick(onProgress, 'objects', done++, counts.commits);
    check(commit);
  }
  onProgress({ stage: 'objects', done, total: counts.commits });
  attempt({ commit: head }, () => {
    // If the beginning of the log cannot be read, the files that it leaves are not known.
    const folded = isWhole ? files : undefined;
    compareTree(head, '', parseCommit(odb.get(head, 'commit')).tree, folded);
    for (const file of folded?.keys() ?? []) {
      report({ commit: head, path: file, problem: 'is left by the log, but not in the tree' });
    }
  });
}

/** The commits by first parents, newest first; then those that merges brought in. */
async function listCommits(
  parts: CommitCheckParts,
  head: Oid,
): Promise<{ chain: Oid[]; sides: Set<Oid>; isWhole: boolean }> {
  const { onProgress } = parts;
  const { attempt } = parts.findings;
  const read = createHashedRead(parts);
  const chain = new Set<Oid>();
  const sides = new Set<Oid>();
  const parentsOf = (commit: Oid): Oid[] | undefined => {
    const body = attempt({ commit }, () => read(commit, 'commit'));
    return body && parseCommit(body).parents;
  };
  let isWhole = true;
  for (let commit: Oid | undefined = head; commit; ) {
    await tick(onProgress, 'commits', chain.size, 0);
    const parents = parentsOf(commit);
    isWhole = parents !== undefined;
    if (!parents) break;
    chain.add(commit);
    for (const side of parents.slice(1)) sides.add(side);
    commit = parents[0];
  }
  for (const commit of sides) {
    if (chain.has(commit)) sides.delete(commit);
    else for (const parent of parentsOf(commit) ?? []) sides.add(parent);
    await tick(onProgress, 'commits', chain.size + sides.size, 0);
  }
  return { chain: [...chain], sides, isWhole };
}

function createRuleCheck({ notes, committer, findings }: CommitCheckParts): (commit: Oid, body: Buffer) => void {
  const { report } = findings;
  const changeIds = new Set<string>();
  return (commit, body) => {
    const { parents, message, committer: by } = parseCommit(body);
    if (by.name !== committer.name || by.email !== committer.email || notes.has(commit)) return;
    if (parents.length > 1) report({ commit, problem: `has ${parents.length} parents` });
    const trailers = parseTrailers(message);
    for (const name of ['Event', 'Change-Id']) {
      if (!trailers.get(name)) report({ commit, problem: `has no trailer ${name}` });
    }
    const changeId = trailers.get('Change-Id');
    if (!changeId) return;
    if (changeIds.has(changeId)) report({ commit, problem: `repeats the Change-Id ${changeId}` });
    changeIds.add(changeId);
  };
}

async function tick(
  onProgress: CommitCheckParts['onProgress'],
  stage: VerifyProgress['stage'],
  done: number,
  total: number,
): Promise<void> {
  if (done % SLICE_COMMITS) return;
  onProgress({ stage, done, total });
  await new Promise((resume) => setImmediate(resume));
}
