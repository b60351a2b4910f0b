// Finds files and folders by path in trees that are read from the repository.
import type { Oid } from './objects.ts';
import { parseTree, TREE_MODE } from './tree.ts';

export interface FoundEntry {
  mode: string;
  oid: Oid;
}

export interface TreeLookup {
  entry(tree: Oid, name: string): FoundEntry | undefined;
  /** A file or folder below a root. */
  find(root: Oid, path: string): FoundEntry | undefined;
}

const TREES_KEPT = 16;
/** So many entries are looked for one by one before a tree is put into a map, which for a wide one costs more. */
const LOOKUPS_BY_HAND = 4;

export function createTreeLookup(readTree: (oid: Oid) => Buffer): TreeLookup {
  const trees = new Map<Oid, { lookups: number; byName?: Map<string, FoundEntry> }>();

  function entry(tree: Oid, name: string): FoundEntry | undefined {
    let kept = trees.get(tree);
    if (!kept) {
      kept = { lookups: 0 };
      trees.set(tree, kept);
      if (trees.size > TREES_KEPT) trees.delete(trees.keys().next().value as Oid);
    }
    if (!kept.byName && ++kept.lookups <= LOOKUPS_BY_HAND) return findByHand(readTree(tree), Buffer.from(name));
    kept.byName ??= new Map(parseTree(readTree(tree)).map((child) => [child.name, child]));
    return kept.byName.get(name);
  }

  return {
    entry,
    find(root, path) {
      let found: FoundEntry | undefined = { mode: TREE_MODE, oid: root };
      for (const name of path.split('/')) found = found?.mode === TREE_MODE ? entry(found.oid, name) : undefined;
      return found;
    },
  };
}

function findByHand(content: Buffer, name: Buffer): FoundEntry | undefined {
  for (let at = 0; at < content.length; ) {
    const zero = content.indexOf(0, at);
    const start = zero - name.length;
    // A mode has five or six digits.
    const isSame =
      start - 1 <= at + 6 && content[start - 1] === 32 && content.compare(name, 0, name.length, start, zero) === 0;
    if (isSame) {
      return { mode: content.toString('latin1', at, start - 1), oid: content.toString('hex', zero + 1, zero + 21) };
    }
    at = zero + 21;
  }
  return undefined;
}
