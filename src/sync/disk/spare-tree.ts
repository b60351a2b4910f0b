// A copy of the live tree that is made before anybody asks for it, so that a deploy begins at once. It is made of the
// oldest deploy when that is not kept any more, which then need not be removed.
import fs from 'node:fs';
import { isCode } from '../../lib/error-code.ts';
import { createInOrder } from '../../lib/queues/in-order.ts';
import type { TreeFiles } from './tree.ts';
import { runTreeTask } from './tree-work.ts';

export interface CopiedTree {
  id: string;
  folder: string;
  files: TreeFiles;
}

export interface SpareTree {
  /** Makes the copy in the background, of the tree in the folder `old` if there is one. */
  prepare(live: CopiedTree, old: string | undefined): void;
  /** Moves a copy of the tree to the folder `to`. */
  take(live: CopiedTree, to: string): Promise<void>;
  close(): Promise<void>;
}

export function createSpareTree(folder: string, log: (line: string) => void): SpareTree {
  const inOrder = createInOrder();
  /** Which deploy the spare is a copy of. */
  let copyOf: string | undefined;

  async function makeCopy({ id, folder: from, files }: CopiedTree): Promise<void> {
    if (copyOf === id) return;
    copyOf = undefined;
    await runTreeTask({ kind: 'copy', from, files, to: folder });
    copyOf = id;
  }

  return {
    prepare(live, old) {
      inOrder(async () => {
        try {
          if (old !== undefined) await replaceBy(old);
          await makeCopy(live);
        } catch (error) {
          // It must not take the space of the deploys.
          await runTreeTask({ kind: 'remove', folder });
          throw error;
        }
      }).catch((error: Error) => log(`the next deploy begins more slowly: ${error.message}`));
    },
    take: (live, to) =>
      inOrder(async () => {
        await makeCopy(live);
        copyOf = undefined;
        await fs.promises.rename(folder, to);
      }),
    close: () => inOrder(() => undefined),
  };

  /** A spare that is there already is as good as the old tree. */
  async function replaceBy(old: string): Promise<void> {
    try {
      await fs.promises.rename(old, folder);
      copyOf = undefined;
    } catch (error) {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
      await runTreeTask({ kind: 'remove', folder: old });
    }
  }
}
