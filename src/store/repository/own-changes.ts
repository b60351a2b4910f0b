// Finds the changes that a commit itself made, for checks of permissions. In a merge, a change that one parent made
// since the merge base, and the other did not touch, does not count: the commit that made it is checked itself. Every
// other difference is the merge's own, even if it chooses one side over the other.
import type { Oid } from '../git/objects.ts';
import { changedEntries } from '../git/tree-check.ts';
import type { FoundEntry, TreeLookup } from '../git/tree-lookup.ts';

/** A parent's tree, and for each other parent its tree and their merge bases. */
export interface ParentTree {
  /** Null for a first commit, which has no parent. */
  tree: Oid | null;
  others: readonly { tree: Oid; bases: readonly Oid[] }[];
}

export interface OwnChange {
  path: string;
  /** The file in the parent and in the commit; null if it does not exist. */
  before: Oid | null;
  after: Oid | null;
}

export interface OwnChangesParts {
  readTree(oid: Oid): Buffer;
  lookup: TreeLookup;
}

/** Limits the number of files and folders that are checked in one push. */
export interface PathBudget {
  left: number;
}

const NOTHING = Buffer.alloc(0);

/**
 * Yields the files in which the commit's tree differs from a parent's, and undefined when the caller may pause.
 * @throws if there are more than the budget allows
 */
export function* ownChanges(
  { readTree, lookup }: OwnChangesParts,
  parent: ParentTree,
  after: Oid,
  budget: PathBudget,
): Generator<OwnChange | undefined> {
  yield* walk('', parent.tree, after, parent.others);

  function* walk(
    folder: string,
    before: Oid | null,
    now: Oid | null,
    others: readonly { tree: Oid | null; bases: readonly (Oid | null)[] }[],
  ): Generator<OwnChange | undefined> {
    const [old, content] = [before, now].map((tree) => (tree ? readTree(tree) : NOTHING)) as [Buffer, Buffer];
    for (const change of changedEntries(old, content)) {
      if (--budget.left < 0) throw new Error('the push changes more files than can be checked; push fewer commits');
      yield undefined;
      const entryOf = (tree: Oid | null): FoundEntry | undefined => {
        const found = tree === null ? undefined : lookup.entry(tree, change.name);
        return found && isFolder(found) === change.isDirectory ? found : undefined;
      };
      if (others.length > 0) {
        const [was, is] = [entryOf(before), entryOf(now)];
        const isOthers = others.some(
          ({ tree, bases }) =>
            isSame(entryOf(tree), is) && bases.length > 0 && bases.every((base) => isSame(entryOf(base), was)),
        );
        if (isOthers) continue;
      }
      const path = folder + change.name;
      if (!change.isDirectory) {
        yield { path, before: change.before, after: change.after };
        continue;
      }
      const below = (tree: Oid | null): Oid | null => entryOf(tree)?.oid ?? null;
      yield* walk(
        `${path}/`,
        change.before,
        change.after,
        others.map(({ tree, bases }) => ({ tree: below(tree), bases: bases.map(below) })),
      );
    }
  }
}

function isSame(a: FoundEntry | undefined, b: FoundEntry | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}

function isFolder({ mode }: FoundEntry): boolean {
  return mode === '40000';
}
