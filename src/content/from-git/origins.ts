// What documents written by hand take from the log (decisions.md, section 14): a file without an id or dates has those of
// the commit that added it. A fold over the log along first parents, as the order of claims is (claim-order.ts). A file
// that lost its id or a date stays the document that it was: the path goes on, and with it what its last version said.
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { runToEnd } from '../../lib/queues/slices.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import type { ReplaySides } from '../../store/log/replant.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';
import { diffTreesInSteps, type EntersFolder, type FileDifference } from '../../store/repository/tree-walk.ts';
import { derivedDocumentId } from '../document-id.ts';
import { otherPaths } from '../files/paths.ts';
import { DOCUMENT_FILE_BYTES, type Origin, parseFile } from '../stored.ts';
import { contentTree } from './changed-files.ts';

/** What is known already: the origins of files at an earlier commit of the log. */
export interface KnownOrigins {
  commit: Oid;
  of(path: string): Origin | undefined;
}

/** Git accepts any number; later changes of the document need later dates, in years of four digits. */
export const LAST_SECOND = Date.UTC(9999, 0, 1) / 1000;

/** The origin of a file that this commit adds. */
export function originIn(commit: Oid, path: string, authoredAt: number): Origin {
  const at = new Date(Math.min(Math.max(0, authoredAt), LAST_SECOND) * 1000).toISOString();
  return { id: derivedDocumentId(commit, path), createdAt: at, updatedAt: at };
}

/** Stands for an origin while a file is read without the log. */
export const UNKNOWN_ORIGIN: Origin = originIn('', '', 0);

/** Passes `originOf` to parseFile, and notes what the file lacks. */
export interface OriginProbe {
  originOf(lacks: readonly (keyof Origin)[]): Origin;
  /** Empty for a file that says everything itself. */
  readonly lacks: readonly (keyof Origin)[];
}

export function probeOrigin(find: () => Origin = () => UNKNOWN_ORIGIN): OriginProbe {
  let lacking: readonly (keyof Origin)[] = [];
  return {
    originOf(lacks) {
      lacking = lacks;
      return find();
    },
    get lacks() {
      return lacking;
    },
  };
}

/** The origins of files at a commit, by path; a path without a file there is left out. The longer ago, the longer. */
export function* findOrigins(
  odb: Odb,
  head: Oid,
  paths: Iterable<string>,
  known?: KnownOrigins,
): Generator<undefined, Map<string, Origin>> {
  const found = new Map<string, Origin>();
  /** By the path that the file had at the commit that was reached: the path that was asked for. */
  const open = new Map(Array.from(paths, (path) => [path, path]));
  const stated = new Map<string, Partial<Origin>>();
  /** What a later version said is true. */
  const settle = (path: string, origin: Origin): void => {
    found.set(open.get(path)!, { ...origin, ...stated.get(open.get(path)!) });
    open.delete(path);
  };
  /** The file moved to another layout. */
  const follow = (path: string, from: string): void => {
    open.set(from, open.get(path)!);
    open.delete(path);
  };
  for (let commit: Oid | undefined = head; commit !== undefined && open.size > 0; ) {
    if (commit === known?.commit) {
      for (const path of [...open.keys()]) {
        const origin = known.of(path);
        if (origin) settle(path, origin);
      }
    }
    const { tree, parents, authoredAt } = parseCommit(odb.get(commit, 'commit'));
    // In a shallow history the parent is missing: its files count as added by the first commit that is there.
    const [first] = parents;
    const parent: Oid | undefined = first !== undefined && odb.has(first) ? first : undefined;
    const before = parent === undefined ? null : parseCommit(odb.get(parent, 'commit')).tree;
    const trees = [contentTree(odb, before), contentTree(odb, tree)] as const;
    const come: FileDifference[] = [];
    const gone = new Map<string, Oid>();
    for (const file of diffTreesInSteps(odb, ...trees, 'content/', entersFoldersOf(open.keys()))) {
      yield undefined;
      if (!file) continue;
      if (file.after === null) gone.set(file.path, file.before!);
      else if (open.has(file.path)) come.push(file);
    }
    for (const { path, before: was, after } of come) {
      if (was !== null) {
        const said = { ...readStated(odb, path, was), ...stated.get(open.get(path)!) };
        stated.set(open.get(path)!, said);
        if (isComplete(said)) settle(path, said);
        continue;
      }
      const from = otherPaths(path).find((other) => gone.get(other) === after);
      if (from === undefined) settle(path, originIn(commit, path, authoredAt));
      else follow(path, from);
    }
    commit = parent;
    yield undefined;
  }
  return found;
}

function entersFoldersOf(paths: Iterable<string>): EntersFolder {
  const folders = new Set<string>();
  for (const path of [...paths].flatMap((one) => [one, ...otherPaths(one)])) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end));
  }
  return (path) => folders.has(path);
}

/** What one version of a file says itself; empty if it says nothing, or is not a document. */
function readStated(odb: Odb, path: string, oid: Oid): Partial<Origin> {
  if (odb.measure(oid)?.type !== 'blob') return {};
  try {
    return statedIn(odb.get(oid, 'blob', DOCUMENT_FILE_BYTES), path);
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return {};
    throw error;
  }
}

export function statedIn(bytes: Buffer, path: string): Partial<Origin> {
  const probe = probeOrigin();
  const doc = parseFile(bytes, path, { originOf: probe.originOf });
  if (typeof doc === 'string') return {};
  const { id, createdAt, updatedAt } = doc;
  const entries = Object.entries({ id, createdAt, updatedAt }).filter(
    ([key]) => !probe.lacks.includes(key as keyof Origin),
  );
  return Object.fromEntries(entries);
}

export function isComplete(stated: Partial<Origin>): stated is Origin {
  return stated.id !== undefined && stated.createdAt !== undefined && stated.updatedAt !== undefined;
}

/** Looks up one file at a time, for what is rare: without slices. */
export interface OriginLookup {
  at(commit: Oid, path: string): Origin;
}

const REMEMBERED = 10_000;

export function createOriginLookup(odb: Odb): OriginLookup {
  const remembered = createBoundedMap<string, Origin>(REMEMBERED);
  return {
    at(commit, path) {
      const key = `${commit} ${path}`;
      const origin =
        remembered.get(key) ?? runToEnd(findOrigins(odb, commit, [path])).get(path) ?? originIn(commit, path, 0);
      remembered.set(key, origin);
      return origin;
    },
  };
}

/** Looks up the origin of a file on one side of a replay; one that neither commit has belongs to no other file. */
export function createOriginOf({ odb, base, onto }: ReplaySides): (path: string, side: 'base' | 'theirs') => Origin {
  const lookup = createOriginLookup(odb);
  return (path, side) => {
    const commit = side === 'base' ? base : onto;
    return commit ? lookup.at(commit, path) : originIn('', path, 0);
  };
}
