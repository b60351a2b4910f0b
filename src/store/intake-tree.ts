// What somebody else changed from one tree to the next: every file by path, and what is wrong with trees, names and modes
// that the change introduces. A merge introduces what none of its parents has. Trees may come from anybody: what is read
// is measured first, and a walk has a bound, because ten small trees can stand for more paths than there is time.
import { foldName, nameProblem, pathProblem } from './intake-names.ts';
import type { Oid } from './objects.ts';
import type { Odb } from './odb.ts';
import { parseTree, TREE_MODE } from './tree.ts';
import { changedEntries, type EntryChange, findTreeProblem, readEntries } from './tree-check.ts';

/** A file that is other than before; `oid` is null where it is gone. */
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

/** Some 1.5 million entries. */
const TREE_BYTES = 64 << 20;
const MAX_DEPTH = 64;
/** Files and folders that one change may touch. */
const MAX_PATHS = 1_000_000;
/** Places at which one and the same folder may stand in a change. */
const MAX_SAME = 10_000;
/** Folders of which it is remembered which names in them have capitals or accents. */
const MAX_REMEMBERED = 4096;

/** What is left of a walk's bounds. */
interface Budget {
  paths: number;
  /** How often each tree was gone into. */
  folders: Map<Oid, number>;
}

export interface TreeReader {
  /**
   * Yields undefined where the caller may pause. `befores` are the roots of all parents.
   * @throws where an object is missing or damaged.
   */
  changes(befores: readonly Oid[], after: Oid | null): Generator<ChangedFile | TreeFinding | undefined>;
  /** The mode and id of a file or folder. */
  find(root: Oid, path: string): { mode: string; oid: Oid } | undefined;
}

export function createTreeReader(odb: Odb): TreeReader {
  const oddNames = new Map<Oid, ReadonlySet<string>>();
  const lookup = createLookup(read);

  function read(oid: Oid): Buffer {
    const measured = odb.measure(oid);
    if (measured && measured.largestBytes > TREE_BYTES) throw new Error(`folder is larger than ${TREE_BYTES} bytes`);
    return odb.get(oid, 'tree');
  }

  /** Names that are not their own fold: of two names that clash, one at least is such a one. */
  function oddNamesOf(oid: Oid, content: Buffer, before: Oid | null, changes: readonly EntryChange[]) {
    const known = before && oddNames.get(before);
    let odd: Set<string>;
    if (known) {
      odd = new Set(known);
      for (const { name, after } of changes) {
        if (!after) odd.delete(name);
        else if (foldName(name) !== name) odd.add(name);
      }
    } else odd = new Set([...readEntries(content)].flatMap(({ name }) => (foldName(name) === name ? [] : [name])));
    oddNames.set(oid, odd);
    if (oddNames.size > MAX_REMEMBERED) oddNames.delete(oddNames.keys().next().value as Oid);
    return odd;
  }

  function twinOf(name: string, tree: Oid, odd: ReadonlySet<string>): string | undefined {
    const folded = foldName(name);
    if (folded !== name && lookup(tree, folded)) return folded;
    for (const other of odd) if (other !== name && foldName(other) === folded) return other;
    return undefined;
  }

  function* walk(
    directory: string,
    befores: readonly (Oid | null)[],
    after: Oid | null,
    depth: number,
    budget: Budget,
  ): Generator<ChangedFile | TreeFinding | undefined> {
    if (befores.some((before) => before === after)) return;
    if (after) {
      const times = (budget.folders.get(after) ?? 0) + 1;
      if (times > MAX_SAME) throw new Error(`one and the same folder is there more than ${MAX_SAME} times`);
      budget.folders.set(after, times);
    }
    const content = after ? read(after) : Buffer.alloc(0);
    const olds = befores.map((before) => (before ? read(before) : Buffer.alloc(0)));
    const broken = findTreeProblem(content);
    if (broken && olds.every((old) => !findTreeProblem(old)))
      yield { kind: 'problem', path: directory, message: broken };
    // Nothing that is looked up in such a tree would be certain.
    if (broken) return;
    const [changes = [], ...others] = (olds.length ? olds : [Buffer.alloc(0)]).map((old) =>
      changedEntries(old, content),
    );
    const otherKeys = others.map((list) => new Map(list.map((change) => [keyOf(change), change])));
    const odd = after ? oddNamesOf(after, content, befores[0] ?? null, changes) : undefined;

    for (const change of changes) {
      const { name, mode, isDirectory } = change;
      const path = directory ? `${directory}/${name}` : name;
      if (--budget.paths < 0) throw new Error(`more than ${MAX_PATHS} files and folders are changed at once`);
      yield undefined;
      const alsoBefore = otherKeys.map((known) => known.get(keyOf(change)));
      if (after && change.after && !change.before) {
        const twin = twinOf(name, after, odd!);
        const stoodElsewhere = befores
          .slice(1)
          .some((other) => other && twin && lookup(other, name) && lookup(other, twin));
        if (twin && !stoodElsewhere) yield { kind: 'problem', path, message: toTwinMessage(twin) };
      }
      if (alsoBefore.some((found) => !found)) continue;
      if (change.after && !change.before && alsoBefore.every((found) => !found?.before)) {
        const message = nameProblem(name) ?? pathProblem(path);
        if (message) yield { kind: 'problem', path, message };
      }
      if (isDirectory) {
        if (depth === MAX_DEPTH)
          yield { kind: 'problem', path, message: `folders are nested deeper than ${MAX_DEPTH}` };
        else
          yield* walk(
            path,
            [change.before, ...alsoBefore.map((found) => found!.before)],
            change.after,
            depth + 1,
            budget,
          );
      } else yield { kind: 'file', path, mode, oid: change.after, before: change.before };
    }
  }

  return {
    changes: (befores, after) =>
      walk('', befores.length ? befores : [null], after, 1, { paths: MAX_PATHS, folders: new Map() }),
    find(root, path) {
      let found: { mode: string; oid: Oid } | undefined = { mode: TREE_MODE, oid: root };
      for (const name of path.split('/')) found = found?.mode === TREE_MODE ? lookup(found.oid, name) : undefined;
      return found;
    },
  };
}

export const TWIN = 'differs from ';

function toTwinMessage(twin: string): string {
  return `${TWIN}"${twin}" in capitals or accents only; on macOS and Windows a clone can hold one of them`;
}

function keyOf({ name, isDirectory }: EntryChange): string {
  return isDirectory ? `${name}/` : name;
}

const TREES_KEPT = 16;
/** So many entries are looked for one by one before a tree is put into a map. */
const LOOKUPS_BY_HAND = 4;

/** Finds entries by name: a map of a wide folder costs more than some lookups, and less than many. */
function createLookup(read: (oid: Oid) => Buffer) {
  interface Kept {
    lookups: number;
    byName?: Map<string, { mode: string; oid: Oid }>;
  }
  const trees = new Map<Oid, Kept>();
  return (tree: Oid, name: string): { mode: string; oid: Oid } | undefined => {
    let kept = trees.get(tree);
    if (!kept) {
      kept = { lookups: 0 };
      trees.set(tree, kept);
      if (trees.size > TREES_KEPT) trees.delete(trees.keys().next().value as Oid);
    }
    if (kept.byName) return kept.byName.get(name);
    if (++kept.lookups > LOOKUPS_BY_HAND) {
      kept.byName = new Map(parseTree(read(tree)).map(({ name: key, mode, oid }) => [key, { mode, oid }]));
      return kept.byName.get(name);
    }
    return findByHand(read(tree), Buffer.from(name));
  };
}

function findByHand(content: Buffer, name: Buffer): { mode: string; oid: Oid } | undefined {
  for (let at = 0; at < content.length; ) {
    const zero = content.indexOf(0, at);
    const start = zero - name.length;
    if (content[start - 1] === 32 && start - 1 < at + 7 && content.compare(name, 0, name.length, start, zero) === 0) {
      return { mode: content.toString('latin1', at, start - 1), oid: content.toString('hex', zero + 1, zero + 21) };
    }
    at = zero + 21;
  }
  return undefined;
}
