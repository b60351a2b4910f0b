// A copy of the live tree that is made before anybody asks for it, so that a deploy begins at once. It is made of the
// oldest deploy when that is not kept any more, which then need not be removed.
import fs from 'node:fs';
import path from 'node:path';
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
  /**
   * Makes a folder that the next copy will have, while its deploy is still being sent: the copies after it need not wait
   * for ten thousand of them.
   */
  expectFolder(folder: string): Promise<void>;
  close(): Promise<void>;
}

export function createSpareTree(folder: string, log: (line: string) => void): SpareTree {
  const inOrder = createInOrder();
  /** Which deploy the spare is a copy of. */
  let copyOf: string | undefined;
  /** How many folders were made that its deploy does not have. */
  let expected = 0;

  async function makeCopy({ id, folder: from, files }: CopiedTree): Promise<void> {
    if (copyOf === id) return;
    copyOf = undefined;
    const before = expected;
    await runTreeTask({ kind: 'copy', folder: from, files, to: folder });
    // Otherwise the next one removes the folders that are too many.
    if (expected === before) copyOf = id;
  }

  return {
    prepare(live, old) {
      inOrder(async () => {
        try {
          if (old !== undefined) await replaceBy(old);
          await makeCopy(live);
        } catch (error) {
          // It must not take the space of the deploys.
          await fs.promises.rm(folder, { recursive: true, force: true });
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
    async expectFolder(inside) {
      expected++;
      copyOf = undefined;
      await fs.promises.mkdir(path.join(folder, inside), { recursive: true }).catch((error: Error) => {
        // The copy makes it, or the tree was taken at this moment.
        if (!isCode(error, 'ENOENT', 'EEXIST', 'ENOTDIR', 'ENOSPC', 'EDQUOT')) throw error;
      });
    },
    close: () => inOrder(() => undefined),
  };

  /** A spare that was taken has but a few folders that were expected. */
  async function replaceBy(old: string): Promise<void> {
    copyOf = undefined;
    await fs.promises.rm(folder, { recursive: true, force: true });
    await fs.promises.rename(old, folder);
  }
}
