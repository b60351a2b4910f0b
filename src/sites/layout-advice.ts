// Advises on wide folders, and on collections whose files are not yet where the configuration wants them.
import { layoutAdvices } from '../content/from-git/layout.ts';
import { isShortage, unlessShort } from '../lib/shortage.ts';
import type { SiteSchema } from '../schema/collection.ts';
import type { Oid } from '../store/git/objects.ts';
import { createTreeLookup } from '../store/git/tree-lookup.ts';
import type { Store } from '../store/store.ts';

export interface AdviceParts {
  store: Pick<Store, 'log' | 'odb' | 'treeOf'>;
  schema: SiteSchema;
  warn(message: string, error?: unknown): void;
}

/** The check reads whole folders, so it does not run while the first requests wait. */
const ADVISE_MS = 1000;

/** Advises once, soon; the returned function cancels that. */
export function adviseLater(parts: AdviceParts): () => void {
  const timer = setTimeout(() => unlessShort(() => advise(parts)), ADVISE_MS).unref();
  return () => clearTimeout(timer);
}

function advise({ store, schema, warn }: AdviceParts): void {
  const { gitHead } = store.log.status();
  if (!gitHead) return;
  const readTree = (oid: Oid): Buffer => store.odb.get(oid, 'tree');
  const layoutParts = { lookup: createTreeLookup(readTree), readTree, root: store.treeOf(gitHead) };
  try {
    for (const advice of layoutAdvices(layoutParts, schema.collections.values())) warn(advice);
  } catch (error) {
    if (isShortage(error)) throw error;
    // A tree that cannot be read is reported elsewhere, and missing advice is no reason to end the process.
    warn('the layout of collections cannot be read', error);
  }
}
