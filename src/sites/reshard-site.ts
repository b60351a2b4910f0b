// Moves the files of one site's collections to the layout that the configuration names, one commit a collection. The
// caller holds the data folder's lock: the service must be stopped.
import { type LayoutPlan, planLayout, readLayout } from '../content/from-git/layout.ts';
import { checkFolderRights } from '../data/folder-rights.ts';
import { compileSite } from '../schema/compile.ts';
import { createTreeLookup } from '../store/git/tree-lookup.ts';
import { commitMoves } from '../store/move-files.ts';
import { openStore } from '../store/store.ts';
import type { SiteOptions } from './site.ts';

export interface ReshardedCollection {
  collection: string;
  isSharded: boolean;
  /** Files that were moved, or would be in a dry run. */
  moved: number;
  /** Files that exist in both layouts, and were left where they are. */
  blocked: LayoutPlan['blocked'];
}

export async function reshardSite(
  { config, folder, now = () => new Date(), onFatal, warn }: SiteOptions,
  collections: readonly string[],
  { isDryRun, onProgress }: { isDryRun: boolean; onProgress(text: string): void },
): Promise<ReshardedCollection[]> {
  const schema = compileSite(config);
  checkFolderRights(folder);
  // Opening recovers what a crash left, and closing moves everything to the branch: then the repository is the log.
  const store = openStore({ folder, pollMs: 0, ...(onFatal ? { onFatal } : {}), ...(warn ? { warn } : {}) });
  try {
    await store.log.flush();
    const results: ReshardedCollection[] = [];
    let head = store.log.status().gitHead;
    for (const collection of collections) {
      const isSharded = schema.collections.get(collection)?.config.sharded === true;
      const plan = head ? findMoves(head, collection, isSharded) : { moves: [], blocked: [] };
      const moved = plan.moves.length;
      if (head && moved > 0 && !isDryRun) {
        onProgress(`${collection}: ${moved} files`);
        head = await commitMoves({
          repository: store.repository,
          odb: store.odb,
          head,
          moves: plan.moves,
          subject: `content: move ${moved} ${moved === 1 ? 'file' : 'files'} of ${collection} ${isSharded ? 'into' : 'out of'} shards`,
          trailers: ['Event: content.resharded', 'Actor: system'],
          at: now(),
        });
        store.odb.refresh();
      }
      results.push({ collection, isSharded, moved, blocked: plan.blocked });
    }
    return results;
  } finally {
    await store.close();
  }

  function findMoves(head: string, collection: string, isSharded: boolean): LayoutPlan {
    const readTree = (oid: string): Buffer => store.odb.get(oid, 'tree');
    const parts = { lookup: createTreeLookup(readTree), readTree, root: store.treeOf(head) };
    return planLayout(readLayout(parts, collection), collection, isSharded);
  }
}
