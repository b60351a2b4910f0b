// External commits, checked one by one before they are trusted: each against its parents, oldest first.

import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';
import { type ChangedFile, LINK_MODE, SUBMODULE_MODE, type TreeReader } from './intake-tree.ts';

/** A problem in a commit; `path` is empty if it is with the commit itself. */
export interface Incoming {
  commit: Oid;
  path: string;
  message: string;
}

export interface IncomingFile extends Omit<ChangedFile, 'kind' | 'oid'> {
  kind: 'file';
  commit: Oid;
  /** Roots of the commit and of its first parent. */
  tree: Oid;
  parentTree: Oid | null;
  oid: Oid;
}

/** A step; undefined when the caller may do something else. */
export type IncomingStep = IncomingFile | ({ kind: 'problem' } & Incoming) | undefined;

const COMMIT_BYTES = 1 << 20;
/** Git hosts refuse larger files, and the repository may have to go to one. */
const FILE_BYTES = 100 << 20;
const LINK_BYTES = 4096;
/** How many commits of the known history are read beyond what the dates require: clocks go wrong. */
const SLOP = 64;

/** Reads every commit that `to` has and `from` lacks. */
export function* readIncoming(odb: Odb, from: Oid | null, to: Oid, reader: TreeReader): Generator<IncomingStep> {
  const commits = yield* listNewCommits(odb, from, to);
  for (const commit of commits) {
    // Also between commits that change nothing: there may be any number of them.
    yield undefined;
    try {
      yield* readCommit(odb, commit, reader);
    } catch (error) {
      yield { kind: 'problem', commit, path: '', message: (error as Error).message };
    }
  }
}

function* readCommit(odb: Odb, commit: Oid, reader: TreeReader): Generator<IncomingStep> {
  const body = readCommitBody(odb, commit);
  const problem = commitProblem(body);
  if (problem) {
    yield { kind: 'problem', commit, path: '', message: problem };
    return;
  }
  const { tree, parents } = parseCommit(body);
  const parentTrees = parents.map((parent) => parseCommit(odb.get(parent, 'commit')).tree);
  for (const found of reader.changes(parentTrees, tree)) {
    if (found?.kind !== 'file') yield found && { ...found, commit };
    else if (found.oid) {
      const file = { ...found, oid: found.oid, commit, tree, parentTree: parentTrees[0] ?? null };
      const message = fileProblem(odb, file);
      yield message ? { kind: 'problem', commit, path: file.path, message } : file;
    }
  }
}

/** Why a file may not be in any repository, whatever it contains; undefined if it may. */
export function fileProblem(
  odb: Odb,
  { path, mode, oid }: { path: string; mode: string; oid: Oid },
): string | undefined {
  if (mode === SUBMODULE_MODE) return undefined;
  const measured = odb.measure(oid);
  if (!measured) return `object ${oid} is missing`;
  if (measured.type !== 'blob') return `object ${oid} is a ${measured.type}, not a file`;
  if (measured.largestBytes > FILE_BYTES) return `is larger than ${FILE_BYTES >> 20} MiB`;
  if (mode !== LINK_MODE) return undefined;
  if (measured.largestBytes > LINK_BYTES) return `is a link longer than ${LINK_BYTES} bytes`;
  return leadsOut(path, odb.get(oid, 'blob').toString('utf8'))
    ? 'is a link to a place outside of the repository'
    : undefined;
}

/** A checkout is built and served: a link must not bring in the machine's own files. */
function leadsOut(path: string, target: string): boolean {
  if (/^[/\\]|^[A-Za-z]:|\\|\0/.test(target)) return true;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth--;
    else if (part !== '.' && part !== '') depth++;
    if (depth < 0) return true;
  }
  return false;
}

const PERSON = /[^<>\n]* ?<[^<>\n]*> [0-9]{1,11} [+-][0-9]{4}/.source;
const HEADER = new RegExp(
  `^tree [0-9a-f]{40}\n(?:parent [0-9a-f]{40}\n){0,64}author ${PERSON}\ncommitter ${PERSON}\n(?:[^\n\0]+\n)*\n`,
);

/** What git's own check (fsck) would say about a commit, in short. */
function commitProblem(body: Buffer): string | undefined {
  const text = body.toString('latin1');
  if (!HEADER.test(text)) return 'commit is not in the form that git writes';
  if (text.includes('\0')) return 'commit message has a NUL';
  return undefined;
}

function readCommitBody(odb: Odb, commit: Oid): Buffer {
  return odb.get(commit, 'commit', COMMIT_BYTES);
}

interface SeenCommit {
  parents: Oid[];
  at: number;
  /** Reachable from `from`. */
  isOld: boolean;
  isQueued: boolean;
}

/**
 * The commits reachable from `to` and not from `from`, parents before children. Goes back by date, as git does, so that
 * it reads no more of the known history than what is younger than the new commits' roots.
 */
export function* listNewCommits(odb: Odb, from: Oid | null, to: Oid): Generator<undefined, Oid[]> {
  const seen = new Map<Oid, SeenCommit>();
  /** By date, newest last; known commits last among those of the same date. */
  const queue: Oid[] = [];
  let fresh = 0;

  function visit(oid: Oid, isOld: boolean): void {
    const known = seen.get(oid);
    if (known) {
      if (isOld) markOld(oid);
      return;
    }
    const { parents, committedAt } = parseCommit(readCommitBody(odb, oid));
    const one = { parents, at: committedAt, isOld, isQueued: true };
    seen.set(oid, one);
    if (!isOld) fresh++;
    let low = 0;
    let high = queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = seen.get(queue[middle]!)!;
      if (other.at < one.at || (other.at === one.at && Number(other.isOld) <= Number(isOld))) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, oid);
  }

  function markOld(start: Oid): void {
    for (const oids = [start]; oids.length; ) {
      const one = seen.get(oids.pop()!);
      if (!one || one.isOld) continue;
      one.isOld = true;
      if (one.isQueued) fresh--;
      oids.push(...one.parents);
    }
  }

  if (from) visit(from, true);
  visit(to, false);
  for (let slop = SLOP; queue.length && slop > 0; ) {
    const one = seen.get(queue.pop()!)!;
    one.isQueued = false;
    if (fresh === 0) slop--;
    if (!one.isOld) fresh--;
    for (const parent of one.parents) visit(parent, one.isOld);
    if (seen.size % 64 === 0) yield undefined;
  }
  return inOrder(seen, to);
}

/** Parents first, without recursion: a history is deeper than the stack. */
function inOrder(seen: ReadonlyMap<Oid, SeenCommit>, to: Oid): Oid[] {
  const ordered = new Set<Oid>();
  for (const stack = [to]; stack.length; ) {
    const oid = stack.at(-1)!;
    const waiting = ordered.has(oid) ? [] : seen.get(oid)!.parents.filter((parent) => isNew(parent));
    if (waiting.length) {
      stack.push(...waiting);
      continue;
    }
    stack.pop();
    if (isNew(oid)) ordered.add(oid);
  }
  return [...ordered];

  function isNew(oid: Oid): boolean {
    return seen.get(oid)?.isOld === false && !ordered.has(oid);
  }
}
