// Is a content repository whole? Walks the log from the branch, reads every object that a commit brought and computes its
// id anew, folds the commits into the files they leave and compares those with the newest tree. Reads only, and needs no
// git. A commit is worked on together with what it brought, oldest first: that is the order of the disk.
import { nextTurn } from '../lib/queues/slices.ts';
import { type Disk, nodeDisk } from './disk/disk.ts';
import {
  EMPTY_TREE,
  type ObjectType,
  type Oid,
  oidOf,
  type Person,
  parseCommit,
  parseTrailers,
} from './git/objects.ts';
import { changedEntries, findTreeProblem, readEntries } from './git/tree-check.ts';
import { readDeclared } from './log/epoch.ts';
import { readWal } from './log/wal-read.ts';
import { createInlineWork } from './packs/disk-work.ts';
import { createNotes } from './repository/notes.ts';
import { createOdb } from './repository/odb.ts';
import { createBranch, listRefs } from './repository/refs.ts';
import { COMMITTER } from './store.ts';
import { verifyPacks } from './verify-packs.ts';

export interface VerifyOptions {
  /** The bare repository. */
  repository: string;
  /** The write-ahead log's folder: checked too where it is given. */
  wal?: string;
  disk?: Disk;
  /** Whose commits are held to the log's rules. */
  committer?: Person;
}

export interface StoreProblem {
  path?: string;
  commit?: Oid;
  problem: string;
}

export interface VerifyStoreReport {
  /** `documents`: JSON files below `content/` in the newest commit. `objects`: read and hashed, for each commit that brings them. */
  counts: { commits: number; documents: number; objects: number; packs: number };
  problems: StoreProblem[];
}

export interface VerifyProgress {
  stage: 'packs' | 'commits' | 'objects';
  done: number;
  /** 0 while it is not known. */
  total: number;
}

export function toProgressText({ stage, done, total }: VerifyProgress): string {
  return `${stage}: ${done}${total ? ` of ${total}` : ''}`;
}

/** A damaged repository may have one for every object; the first tell the story. */
const MAX_PROBLEMS = 1000;
const SLICE_COMMITS = 100;
const GITLINK_MODE = '160000';

/** Resolves also where nothing can be read: whatever is wrong is in the report. */
export async function verifyStore(
  options: VerifyOptions,
  onProgress: (progress: VerifyProgress) => void = () => undefined,
): Promise<VerifyStoreReport> {
  const { repository, disk = nodeDisk, committer = COMMITTER } = options;
  const odb = createOdb(disk, repository);
  const problems: StoreProblem[] = [];
  const counts = { commits: 0, documents: 0, objects: 0, packs: 0 };

  function report(problem: StoreProblem): void {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  }

  /** An error is a finding. */
  function attempt<T>(where: Omit<StoreProblem, 'problem'>, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      report({ ...where, problem: (error as Error).message });
      return undefined;
    }
  }

  async function tick(stage: VerifyProgress['stage'], done: number, total: number): Promise<void> {
    if (done % SLICE_COMMITS) return;
    onProgress({ stage, done, total });
    await nextTurn();
  }

  function read(oid: Oid, type: ObjectType): Buffer {
    const body = odb.get(oid, type);
    counts.objects++;
    const actual = oidOf(type, body);
    if (actual !== oid) throw new Error(`${type} ${oid} hashes to ${actual}`);
    return body;
  }

  /** The commits by first parents, newest first; then those that merges brought. */
  async function listCommits(head: Oid): Promise<{ chain: Oid[]; sides: Set<Oid>; isWhole: boolean }> {
    const chain = new Set<Oid>();
    const sides = new Set<Oid>();
    const parentsOf = (commit: Oid): Oid[] | undefined => {
      const body = attempt({ commit }, () => read(commit, 'commit'));
      return body && parseCommit(body).parents;
    };
    let isWhole = true;
    for (let commit: Oid | undefined = head; commit; ) {
      await tick('commits', chain.size, 0);
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
      await tick('commits', chain.size + sides.size, 0);
    }
    return { chain: [...chain], sides, isWhole };
  }

  const work = createInlineWork(disk, repository);
  const notes = createNotes({ disk, work, repository, odb, committer, warn: (problem) => report({ problem }) });
  const changeIds = new Set<string>();
  function checkRules(commit: Oid, body: Buffer): void {
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
  }

  /** What the commit changed below a directory: read, hashed and folded into `files`. */
  function checkTree(commit: Oid, directory: string, before: Oid | null, after: Oid | null, files?: Map<string, Oid>) {
    if (before === after) return;
    const where = directory ? { commit, path: directory } : { commit };
    attempt(where, () => {
      const news = after && after !== EMPTY_TREE ? read(after, 'tree') : Buffer.alloc(0);
      const olds = before ? odb.get(before, 'tree') : Buffer.alloc(0);
      for (const change of changedEntries(olds, news)) {
        const file = directory ? `${directory}/${change.name}` : change.name;
        const { after: oid } = change;
        if (change.isDirectory) checkTree(commit, file, change.before, oid, files);
        else if (!oid) files?.delete(file);
        else {
          files?.set(file, oid);
          if (change.mode !== GITLINK_MODE) attempt({ commit, path: file }, () => read(oid, 'blob'));
        }
      }
    });
  }

  /** Takes from `files` what the tree has; what stays or differs is told. */
  function compareTree(commit: Oid, directory: string, tree: Oid, files: Map<string, Oid> | undefined): void {
    attempt(directory ? { commit, path: directory } : { commit }, () => {
      const content = odb.get(tree, 'tree');
      const problem = findTreeProblem(content);
      if (problem) report({ commit, ...(directory ? { path: directory } : {}), problem });
      for (const { name, mode, oid } of readEntries(content)) {
        const file = directory ? `${directory}/${name}` : name;
        if (mode === '40000') {
          compareTree(commit, file, oid, files);
          continue;
        }
        if (file.startsWith('content/') && file.endsWith('.json')) counts.documents++;
        if (!files) continue;
        const folded = files.get(file);
        files.delete(file);
        if (folded !== oid)
          report({ commit, path: file, problem: `is ${oid}, but the log leaves ${folded ?? 'nothing'}` });
      }
    });
  }

  async function checkLog(head: Oid): Promise<void> {
    const { chain, sides, isWhole } = await listCommits(head);
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
      await tick('objects', done++, counts.commits);
      check(commit, files);
    }
    for (const commit of sides) {
      await tick('objects', done++, counts.commits);
      check(commit);
    }
    onProgress({ stage: 'objects', done, total: counts.commits });
    attempt({ commit: head }, () => {
      // Where the beginning of the log cannot be read, what it leaves is not known.
      const folded = isWhole ? files : undefined;
      compareTree(head, '', parseCommit(odb.get(head, 'commit')).tree, folded);
      for (const file of folded?.keys() ?? []) {
        report({ commit: head, path: file, problem: 'is left by the log, but not in the tree' });
      }
    });
  }

  try {
    const { wal } = options;
    if (wal) attempt({}, () => readWal(disk, wal, readDeclared(disk, repository)));
    counts.packs = await verifyPacks(disk, repository, report, (done, total) => {
      onProgress({ stage: 'packs', done, total });
    });
    const head = attempt({}, () => createBranch(disk, repository).read());
    if (head) await checkLog(head);
    for (const { name, oid } of attempt({}, () => listRefs(disk, repository)) ?? []) {
      attempt({ path: name }, () => {
        if (!odb.has(oid)) throw new Error(`points to the missing object ${oid}`);
      });
    }
  } finally {
    odb.close();
  }
  return { counts, problems };
}
