// Deploys that are being put together. They live in memory and in their folders: none of them survives a restart.
import { createInOrder, type InOrder } from '../../lib/queues/in-order.ts';
import type { TreeFiles } from '../disk/tree.ts';
import { SyncRefusal } from '../refusal.ts';

export interface StagedDeploy {
  id: string;
  files: TreeFiles;
  /** Its commit or removal has begun: no file comes in any more. */
  isClosed: boolean;
  touchedAt: number;
  /** Changes of its tree, one after the other. */
  inOrder: InOrder;
}

export interface StagedDeploys {
  find(id: string): StagedDeploy | undefined;
  /** @throws SyncRefusal 404, or 409 if it is not staged any more */
  getOpen(id: string): StagedDeploy;
  add(id: string, files: TreeFiles): void;
  /** Waits for the change that is under way, and lets no other begin. */
  close(deploy: StagedDeploy): Promise<void>;
  delete(id: string): void;
  /** Those that nobody will come back for, and the oldest if there are too many. */
  listIdle(): StagedDeploy[];
}

/** A client that has not touched its deploy for this long will not come back for it. */
const IDLE_MS = 24 * 3600_000;
const MAX_STAGED = 8;

export function createStagedDeploys({ now, isKept }: { now(): Date; isKept(id: string): boolean }): StagedDeploys {
  const staged = new Map<string, StagedDeploy>();
  return {
    find: (id) => staged.get(id),
    getOpen(id) {
      const found = staged.get(id);
      if (found?.isClosed === false) {
        found.touchedAt = now().getTime();
        return found;
      }
      if (found || isKept(id)) throw new SyncRefusal(409, `deploy "${id}" is not staged any more`);
      throw new SyncRefusal(404, `there is no deploy "${id}"`);
    },
    add: (id, files) =>
      void staged.set(id, { id, files, isClosed: false, touchedAt: now().getTime(), inOrder: createInOrder() }),
    close: (deploy) =>
      deploy.inOrder(() => {
        deploy.isClosed = true;
      }),
    delete: (id) => void staged.delete(id),
    listIdle() {
      const oldestFirst = [...staged.values()].sort((a, b) => a.touchedAt - b.touchedAt);
      const surplus = oldestFirst.length - MAX_STAGED;
      return oldestFirst.filter(({ touchedAt }, at) => at < surplus || now().getTime() - touchedAt > IDLE_MS);
    },
  };
}
