// Names in one folder that differ only in capitals or accents: macOS and Windows can hold one of them. At least one of
// two such names has a capital or an accent and so is not its own fold; those are few, so only they are remembered.
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { foldName } from '../../lib/text/stream-safe.ts';
import type { Oid } from '../git/objects.ts';
import type { EntryChange } from '../git/tree-check.ts';
import type { TreeLookup } from '../git/tree-lookup.ts';

export interface NameTwins {
  /** Finds the other name in a tree that a checkout would put in the same place. */
  find(name: string, tree: Oid): string | undefined;
  /**
   * The first few names in a tree that a checkout would put in the same place and that are not their own fold, in
   * order.
   */
  odd(name: string, tree: Oid): string[];
  /** Called for each tree, with its changes since `before`. Yields when the caller may pause. */
  learn(tree: Oid, content: Buffer, before: Oid | null, changes: readonly EntryChange[]): Generator<undefined, void>;
}

const FOLDERS_KEPT = 4096;
/** Entries that are read between two yields: half a millisecond. */
const STEP = 2048;
/** How many names that clash with one are reported; thousands of them can be made. */
const MOST_TWINS = 8;

export function createNameTwins(lookup: TreeLookup): NameTwins {
  /** For each tree, the names that are not their own fold, by their fold. */
  const folders = createBoundedMap<Oid, Map<string, Set<string>>>(FOLDERS_KEPT);

  const odd = (name: string, tree: Oid): string[] =>
    [...(folders.get(tree)?.get(foldName(name)) ?? []).values().take(MOST_TWINS)].sort();

  return {
    find(name, tree) {
      const folded = foldName(name);
      if (folded !== name && lookup.entry(tree, folded)) return folded;
      return odd(name, tree).find((other) => other !== name);
    },
    odd,
    *learn(tree, content, before, changes) {
      if (folders.has(tree)) return;
      const known = before && folders.get(before);
      // A folder's history is mostly a line: what was known of the last tree is handed on to the next, not copied.
      if (known) folders.delete(before);
      const odd = known || new Map<string, Set<string>>();
      let steps = 0;
      for (const found of known ? changes : oddEntries(content)) {
        if (!found || ++steps % STEP === 0) yield undefined;
        if (!found) continue;
        const { name, after } = found;
        const folded = foldName(name);
        if (folded === name) continue;
        const names = odd.get(folded);
        if (after === null) names?.delete(name);
        else if (names) names.add(name);
        else odd.set(folded, new Set([name]));
      }
      folders.set(tree, odd);
    },
  };
}

/**
 * Entries with a capital or a non-ASCII character in their name; other names are not decoded. Yields undefined when the
 * caller may pause.
 */
function* oddEntries(content: Buffer): Generator<{ name: string; after: true } | undefined> {
  let steps = 0;
  for (let at = 0; at < content.length; ) {
    if (++steps % STEP === 0) yield undefined;
    const start = content.indexOf(32, at) + 1;
    const end = content.indexOf(0, start);
    if (start === 0 || end < 0) return; // reported as a damaged tree
    for (let i = start; i < end; i++) {
      const byte = content[i]!;
      if (byte < 0x80 && (byte < 0x41 || byte > 0x5a)) continue;
      yield { name: content.toString('utf8', start, end), after: true };
      break;
    }
    at = end + 21;
  }
}
