// Trees that are not needed any more: out of sight at once, and removed in the background.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { Layout } from './layout.ts';
import { runTreeTask } from './tree-work.ts';

export interface Removals {
  /** Moves a deploy out of sight, with its manifest. Returns the folder that it is in then. */
  takeAway(id: string): Promise<string>;
  removeLater(folder: string): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export function createRemovals(layout: Layout, log: (line: string) => void): Removals {
  const running = new Set<Promise<unknown>>();
  return {
    async takeAway(id) {
      const folder = path.join(layout.removed, id);
      await fs.promises.rm(layout.manifestFile(id), { force: true });
      await fs.promises.rename(layout.deployFolder(id), folder).catch((error: unknown) => {
        if (!isCode(error, 'ENOENT')) throw error;
      });
      return folder;
    },
    removeLater(folder) {
      const removal: Promise<unknown> = runTreeTask({ kind: 'remove', folder })
        .catch((error: Error) => log(`"${folder}" stays until the next start: ${error.message}`))
        .finally(() => running.delete(removal));
      running.add(removal);
    },
    async close() {
      await Promise.all(running);
    },
  };
}
