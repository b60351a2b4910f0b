// The order in which files came to claim an id or a slug. It is a fold over the log, because a tree does not have it,
// and so it is the same however the views were built. The log is read back from its newest commit to a commit at which
// only one file claimed the key, or at which the order is known, and followed from there; uncontested keys cost
// nothing. Only first parents count, as in `git log --first-parent`: what a merge brings came with the merge.
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import type { Odb } from '../../store/repository/odb.ts';
import { diffTreesInSteps } from '../../store/repository/tree-walk.ts';
import { otherPaths, parsePath } from '../files/paths.ts';
import { DOCUMENT_FILE_BYTES, type Origin } from '../stored.ts';
import { contentTree, entersDocumentFolders } from './changed-files.ts';
import { type Key, keysOf, slugKey } from './claims.ts';
import { createOriginLookup } from './origins.ts';
import { readDocument } from './other-files.ts';

/** What one commit changed in the files that claim a key. */
export interface ClaimStep {
  gone: ReadonlySet<string>;
  come: readonly string[];
}

export interface ClaimOrderParts {
  odb: Odb;
  isCollection(name: string): boolean;
  /** The id of a document that was read already; undefined for any other file. */
  knownId?(path: string, oid: Oid): string | undefined;
}

interface Steps<Come> extends Map<Key, { gone: Set<string>; come: Come[] }> {
  of(key: Key): { gone: Set<string>; come: Come[] };
}

/** The steps of a commit, by key; `of` adds an empty one if the key has none yet. */
export function createSteps<Come>(): Steps<Come> {
  const steps = new Map<Key, { gone: Set<string>; come: Come[] }>();
  return Object.assign(steps, {
    of(key: Key) {
      const step = steps.get(key) ?? { gone: new Set<string>(), come: [] };
      steps.set(key, step);
      return step;
    },
  });
}

/**
 * The order after a commit. A file keeps its place while it claims the key, in any layout. If the commit that
 * removes the holder adds another file, the holder was renamed, and that file holds the key; else the next file in the
 * order does.
 */
export function followClaims(list: readonly string[], { gone, come }: ClaimStep): string[] {
  const fresh = new Set([...come].sort());
  const stayed = list.map((path) => {
    if (!gone.has(path)) return path;
    return otherPaths(path).find((other) => fresh.delete(other));
  });
  const order = stayed.filter((path) => path !== undefined);
  if (stayed.length && stayed[0] === undefined) {
    const [heir] = fresh;
    if (heir !== undefined) order.unshift(heir);
    fresh.delete(heir!);
  }
  return [...order, ...fresh];
}

const NOTHING = Buffer.alloc(0);

interface Search {
  /** The files that claim the key at the commit that was reached. */
  now: Set<string>;
  /** Newest first. */
  steps: ClaimStep[];
}

/** The order of the files that claim each key at a commit. `known` is the order at another one, if the log has it. */
export function* orderByLog(
  parts: ClaimOrderParts,
  claimants: ReadonlyMap<Key, readonly string[]>,
  head: Oid,
  known?: { commit: Oid; list(key: Key): readonly string[] },
): Generator<undefined, Map<Key, string[]>> {
  const { odb } = parts;
  const ordered = new Map<Key, string[]>();
  const open = new Map<Key, Search>();
  for (const [key, paths] of claimants) open.set(key, { now: new Set(paths), steps: [] });
  const keysAt = createKeyReader(parts, open);

  function settle(key: Key, { steps }: Search, start: readonly string[]): void {
    ordered.set(
      key,
      steps.reduceRight((list, step) => followClaims(list, step), [...start]),
    );
    open.delete(key);
  }

  for (let commit: Oid | undefined = head; ; ) {
    for (const [key, search] of open) {
      if (commit === undefined || search.now.size < 2) settle(key, search, [...search.now].sort());
      else if (commit === known?.commit) settle(key, search, inKnownOrder(search.now, known.list(key)));
      yield undefined;
    }
    if (open.size === 0 || commit === undefined) return ordered;
    const first: Oid | undefined = parseCommit(odb.get(commit, 'commit')).parents[0];
    // In a shallow history the parent is missing.
    const parent: Oid | undefined = first !== undefined && odb.has(first) ? first : undefined;
    const steps = yield* readSteps(parts, keysAt, parent, commit);
    commit = parent;
    for (const [key, step] of steps) {
      const search = open.get(key)!;
      search.steps.push(step);
      for (const path of step.come) search.now.delete(path);
      for (const path of step.gone) search.now.add(path);
    }
  }
}

function inKnownOrder(now: ReadonlySet<string>, list: readonly string[]): string[] {
  const known = list.filter((path) => now.has(path));
  return [...known, ...[...now].filter((path) => !known.includes(path)).sort()];
}

/** `commit` has this version of the file. */
type ReadKeys = (path: string, oid: Oid | null, commit: Oid) => readonly Key[];

/** Parsing a file is faster than searching it for more ids than this. */
const MANY_IDS = 16;

/** Returns which of the open keys a file claims. Reads most files without parsing them. */
function createKeyReader({ odb, isCollection, knownId }: ClaimOrderParts, open: ReadonlyMap<Key, Search>): ReadKeys {
  const ids = [...open.keys()].flatMap((key) => (key.startsWith('id ') ? [Buffer.from(key.slice(3))] : []));
  const origins = createOriginLookup(odb);
  return (path, oid, commit) => {
    const place = parsePath(path);
    if (!oid || !place || !isCollection(place.collection)) return [];
    const known = knownId?.(path, oid);
    if (known !== undefined) return keysOf({ path, id: known, oid }).filter((key) => open.has(key));
    // A submodule is a commit of another repository.
    if (odb.measure(oid)?.type !== 'blob') return [];
    const isAny = ids.length > MANY_IDS || open.has(slugKey(place));
    const originOf = (): Origin => origins.at(commit, path);
    const doc = readDocument(
      () => {
        const bytes = odb.get(oid, 'blob', DOCUMENT_FILE_BYTES);
        return isAny || ids.some((id) => bytes.includes(id)) || mayHide(bytes) ? bytes : NOTHING;
      },
      path,
      { originOf },
    );
    return typeof doc === 'string' ? [] : keysOf({ path, id: doc.id, oid }).filter((key) => open.has(key));
  };
}

/** Whether a file may have an id that is not among its bytes: one spelt with escapes, or one from the log. */
function mayHide(bytes: Buffer): boolean {
  return bytes.includes('\\') || !(bytes.includes('"id"') || bytes.includes('id:'));
}

function* readSteps(
  { odb }: ClaimOrderParts,
  keysAt: ReadKeys,
  parent: Oid | undefined,
  commit: Oid,
): Generator<undefined, Map<Key, { gone: Set<string>; come: string[] }>> {
  const steps = createSteps<string>();
  const treeOf = (at: Oid | undefined): Oid | null =>
    at === undefined ? null : contentTree(odb, parseCommit(odb.get(at, 'commit')).tree);
  const [old, now] = [treeOf(parent), treeOf(commit)];
  for (const file of diffTreesInSteps(odb, old, now, 'content/', entersDocumentFolders(odb))) {
    yield undefined;
    if (!file) continue;
    const was = parent === undefined ? [] : keysAt(file.path, file.before, parent);
    const is = keysAt(file.path, file.after, commit);
    for (const key of was) if (!is.includes(key)) steps.of(key).gone.add(file.path);
    for (const key of is) if (!was.includes(key)) steps.of(key).come.push(file.path);
  }
  return steps;
}
