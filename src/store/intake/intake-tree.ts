// What an external commit changed from one tree to the next: every file by path, and what is wrong with trees, names
// and modes that the change introduces. A merge introduces what none of its parents has. Trees may come from anyone:
// they are measured before they are read, and a walk is bounded, because ten small trees can stand for more paths than
// there is time for.

import type { Oid } from '../git/objects.ts';
import { TREE_MODE } from '../git/tree.ts';
import { changedEntriesInSteps, type EntryChange, findTreeProblem, findTreeProblemInSteps } from '../git/tree-check.ts';
import { createTreeLookup, type TreeLookup } from '../git/tree-lookup.ts';
import type { Odb } from '../repository/odb.ts';
import { nameProblem, pathProblem } from './intake-names.ts';
import { createNameTwins } from './name-twins.ts';

/** A file that differs from before; `oid` is null if it is gone. */
export interface ChangedFile {
  kind: 'file';
  path: string;
  mode: string;
  oid: Oid | null;
  /** What was there in the first parent. */
  before: Oid | null;
}

export interface TreeFinding {
  kind: 'problem';
  path: string;
  message: string;
}

export const LINK_MODE = '120000';
export const SUBMODULE_MODE = '160000';

/** A file with bytes of its own: not a link, a submodule or a folder. */
export function isRegular(mode: string): boolean {
  return mode !== LINK_MODE && mode !== SUBMODULE_MODE && mode !== TREE_MODE;
}

/** Some 300,000 entries. Whatever is done with a folder is done for all of it at once. */
const TREE_BYTES = 16 << 20;
const MAX_DEPTH = 64;
/** Files and folders that one change may touch. */
const MAX_PATHS = 1_000_000;
/** How often one and the same folder may occur in a change. */
const MAX_SAME = 2000;
const NOTHING = Buffer.alloc(0);

export interface WalkOptions {
  /** Whether to enter a folder; one that is not entered counts as a file of the mode 40000. */
  enter?(path: string, tree: Oid): boolean;
  /**
   * Also enters folders that git would not have written, after reporting them, for callers that must show them anyway.
   */
  isTolerant?: boolean;
  /** Files and folders that the change may touch; a million if absent. */
  maxPaths?: number;
}

export interface TreeReader {
  /**
   * Yields undefined when the caller may pause. `befores` are the roots of all parents. What was in a removed folder
   * comes before the folder itself.
   * @throws if an object is missing, damaged or too large, or if there is more than a change may hold.
   */
  changes(
    befores: readonly Oid[],
    after: Oid | null,
    options?: WalkOptions,
  ): Generator<ChangedFile | TreeFinding | undefined>;
  find: TreeLookup['find'];
}

export function createTreeReader(odb: Odb): TreeReader {
  const read = (oid: Oid): Buffer => odb.get(oid, 'tree', TREE_BYTES);
  const lookup = createTreeLookup(read);
  const twins = createNameTwins(lookup);

  function* readInSteps(oid: Oid): Generator<undefined, Buffer> {
    yield* odb.readAhead(oid, TREE_BYTES);
    const content = read(oid);
    yield undefined;
    return content;
  }

  function* changes(
    befores: readonly Oid[],
    after: Oid | null,
    { enter = () => true, isTolerant = false, maxPaths = MAX_PATHS }: WalkOptions = {},
  ): Generator<ChangedFile | TreeFinding | undefined> {
    let paths = 0;
    const times = new Map<Oid, number>();
    yield* walk('', befores.length ? befores : [null], after, 1);

    function* walk(
      directory: string,
      olds: readonly (Oid | null)[],
      now: Oid | null,
      depth: number,
    ): Generator<ChangedFile | TreeFinding | undefined> {
      if (olds.includes(now)) return;
      if (now) countFolder(now);
      const content = now ? yield* readInSteps(now) : NOTHING;
      const oldContents: Buffer[] = [];
      for (const old of olds) oldContents.push(old ? yield* readInSteps(old) : NOTHING);
      const broken = yield* findTreeProblemInSteps(content);
      yield undefined;
      if (broken) {
        if (oldContents.every((old) => !findTreeProblem(old)))
          yield { kind: 'problem', path: directory, message: `${BROKEN}${broken}` };
        // Nothing that is looked up in such a tree is reliable.
        if (!isTolerant) return;
      }
      const lists: EntryChange[][] = [];
      for (const old of oldContents) lists.push(yield* changedEntriesInSteps(old, content));
      const [own = [], ...others] = lists;
      const byKey = others.map((list) => new Map(list.map((change) => [keyOf(change), change])));
      if (now) yield* twins.learn(now, content, olds[0] ?? null, own);
      yield undefined;

      for (const change of own) {
        const path = directory ? `${directory}/${change.name}` : change.name;
        if (++paths > maxPaths) throw new Error(`more than ${maxPaths} files and folders are changed at once`);
        yield undefined;
        const isAdded = change.after !== null && !change.before;
        const clashing = isAdded && now ? findClashing(change.name, now, olds.slice(1)) : [];
        for (const { name, twin } of clashing)
          yield { kind: 'problem', path: directory ? `${directory}/${name}` : name, message: toTwinMessage(twin) };
        // A parent has it unchanged, so the merge did not introduce it.
        const elsewhere = byKey.map((known) => known.get(keyOf(change)));
        if (elsewhere.includes(undefined)) continue;
        const message =
          isAdded && elsewhere.every((other) => !other?.before) && (nameProblem(change.name) ?? pathProblem(path));
        if (message) yield { kind: 'problem', path, message };
        const isEntered = change.isDirectory && (change.after === null || enter(path, change.after));
        // A folder that was not entered before is all new now, and the other way round.
        const wasEntered = change.isDirectory && change.before !== null && enter(path, change.before);
        if ((isEntered || wasEntered) && depth === MAX_DEPTH) {
          yield { kind: 'problem', path, message: TOO_DEEP };
        } else if (isEntered || wasEntered) {
          const before = wasEntered ? change.before : null;
          const after = isEntered ? change.after : null;
          yield* walk(path, [before, ...elsewhere.map((other) => other!.before)], after, depth + 1);
        }
        if (!isEntered || !change.after) {
          yield { kind: 'file', path, mode: change.mode, oid: change.after, before: change.before };
        } else if (change.isDirectory && change.before && !wasEntered) {
          yield { kind: 'file', path, mode: change.mode, oid: null, before: change.before };
        }
      }
    }

    function countFolder(tree: Oid): void {
      const count = (times.get(tree) ?? 0) + 1;
      if (count > MAX_SAME) throw new Error(`one and the same folder occurs more than ${MAX_SAME} times`);
      times.set(tree, count);
    }
  }

  /** For a new name and the names that clash with it: those that are not their own fold, each with a clashing name. */
  function findClashing(
    added: string,
    tree: Oid,
    otherParents: readonly (Oid | null)[],
  ): { name: string; twin: string }[] {
    const first = twins.find(added, tree);
    if (!first) return [];
    if (otherParents.some((other) => other && lookup.entry(other, added) && lookup.entry(other, first))) return [];
    return twins.odd(added, tree).map((name) => ({ name, twin: twins.find(name, tree)! }));
  }

  return { changes, find: lookup.find };
}

const TOO_DEEP = `folders are nested deeper than ${MAX_DEPTH}`;
const BROKEN = 'not a folder that git would have written: ';

/** Whether the problem is one of a tree, so that another tree removes it. */
export function isBrokenTree(message: string): boolean {
  return message.startsWith(BROKEN);
}

const TWIN = /^differs from "(.*)" in capitals or accents only/s;

/** The problem of a file whose name differs from another file's only in capitals or accents. */
export function toTwinMessage(twin: string): string {
  return `differs from "${twin}" in capitals or accents only; a clone on macOS or Windows can hold one of them`;
}

/** How problems with names and paths begin. */
const ABOUT_NAMES = /^(?:name|path) /;

/** Whether the problem is one of a path or of trees, whatever the file contains. */
export function isStructural(path: string, message: string): boolean {
  if (isBrokenTree(message) || twinIn(path, message) !== undefined || message === TOO_DEEP) return true;
  if (!ABOUT_NAMES.test(message)) return false;
  return message === (nameProblem(path.slice(path.lastIndexOf('/') + 1)) ?? pathProblem(path));
}

/** The path that, according to the problem, the file clashes with. */
export function twinIn(path: string, message: string): string | undefined {
  const name = TWIN.exec(message)?.[1];
  return name === undefined ? undefined : path.slice(0, path.lastIndexOf('/') + 1) + name;
}

function keyOf({ name, isDirectory }: EntryChange): string {
  return isDirectory ? `${name}/` : name;
}
