// What a commit itself changed, for whoever asks who may do that. Of a merge that is what it says otherwise than merging
// would: what one parent has and the other has left alone since they parted was changed by other commits, which are asked
// about themselves. All else of it is the merge's own, also where it takes one side's word against the other's.
import type { Oid } from '../git/objects.ts';
import { changedEntries } from '../git/tree-check.ts';
import type { FoundEntry, TreeLookup } from '../git/tree-lookup.ts';

/** A parent, and what it has in common with each of the others. */
export interface ParentTree {
  /** Null for the one that a first commit has not. */
  tree: Oid | null;
  others: readonly { tree: Oid; bases: readonly Oid[] }[];
}

export interface OwnChange {
  path: string;
  /** The file in the parent and in the commit; null where it is not there. */
  before: Oid | null;
  after: Oid | null;
}

export interface OwnChangesParts {
  readTree(oid: Oid): Buffer;
  lookup: TreeLookup;
}

/** Files and folders of one push that are looked at. */
export interface PathBudget {
  left: number;
}

const NOTHING = Buffer.alloc(0);

/**
 * The files that the commit's tree has otherwise than a parent. Yields undefined where the caller may pause.
 * @throws where there are more than the budget has left.
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
      if (--budget.left < 0) throw new Error('the push changes more files than can be looked at; push fewer commits');
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
