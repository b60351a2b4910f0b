// The deploys on the volume: staged, made live, kept for rollbacks, removed; each operation after the one before it.
// Knows nothing of HTTP; must not write through a file of a staged tree, because the live tree shares it.
import { randomBytes } from 'node:crypto';
import { createInOrder } from '../../lib/queues/in-order.ts';
import type { VolumeLayout } from '../disk/layout.ts';
import { recover } from '../disk/recover.ts';
import { createRemovals } from '../disk/removals.ts';
import type { TreeFiles } from '../disk/tree.ts';
import { SyncRefusal } from '../refusal.ts';
import { type CommittedDeploy, openCommitted } from './committed.ts';
import { createStagedDeploys, type StagedDeploy } from './staged.ts';
import { placeFile, removeFile, type UploadedFile } from './staged-files.ts';

export interface SyncDeploys<S> {
  live(): CommittedDeploy<S> | undefined;
  /** Stages a copy of the live tree. `base` is the live deploy that it is a copy of. */
  begin(): Promise<{ deployId: string; base: string | null }>;
  /** Files of a staged deploy so far. @throws SyncRefusal 404, or 409 unless the deploy is staged */
  filesOf(id: string): TreeFiles;
  /** Changes nothing, so that strangers may ask. */
  isStaged(id: string): boolean;
  /** @throws SyncRefusal 404 or 409 unless the deploy is staged */
  checkStaged(id: string): void;
  /** Moves an uploaded file to its place. @throws SyncRefusal 404, 409 */
  put(id: string, file: string, upload: UploadedFile): Promise<void>;
  /** A file that does not exist is removed already. @throws SyncRefusal 404, 409 */
  remove(id: string, file: string): Promise<void>;
  /** The live deploy is committed already. @throws SyncRefusal 404, 409 */
  commit(id: string): Promise<void>;
  /** To the deploy before the live one without an id. Returns what is live then. @throws SyncRefusal 404 */
  rollback(id: string | undefined): Promise<string>;
  /** Removes a staged or kept deploy. @throws SyncRefusal 404, and 409 for the live one */
  discard(id: string): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface SyncDeployParts<S> {
  layout: VolumeLayout;
  now(): Date;
  /** Reads what serving a tree needs. */
  prepare(folder: string, files: TreeFiles): Promise<S>;
  log(line: string): void;
}

export async function openDeploys<S>({ layout, now, prepare, log }: SyncDeployParts<S>): Promise<SyncDeploys<S>> {
  const inOrder = createInOrder();
  const removals = createRemovals(layout, log);
  const { history, leftovers } = await recover(layout, log);
  const committed = await openCommitted({ layout, history, removals, prepare, log });
  const staged = createStagedDeploys({ now, isKept: committed.isKept });
  for (const folder of leftovers) removals.removeLater(folder);

  async function discardStaged(deploy: StagedDeploy): Promise<void> {
    await staged.close(deploy);
    staged.delete(deploy.id);
    removals.removeLater(await removals.takeAway(deploy.id));
  }

  async function begin(): Promise<{ deployId: string; base: string | null }> {
    const deployId = newDeployId(now());
    try {
      await committed.copyLive(layout.deployFolder(deployId));
    } catch (error) {
      removals.removeLater(await removals.takeAway(deployId));
      throw error;
    }
    const live = committed.live();
    staged.add(deployId, new Map(live?.files));
    for (const idle of staged.listIdle()) await discardStaged(idle);
    return { deployId, base: live?.id ?? null };
  }

  async function commit(id: string): Promise<void> {
    if (committed.live()?.id === id) return committed.makeLive(id);
    const deploy = staged.getOpen(id);
    await staged.close(deploy);
    try {
      await committed.commit(id, deploy.files);
    } finally {
      // An error may come after the swap: then it is live all the same.
      if (committed.live()?.id === id) staged.delete(id);
      else deploy.isClosed = false;
    }
  }

  async function rollback(wanted: string | undefined): Promise<string> {
    const id = wanted ?? committed.previous();
    if (id === undefined) throw new SyncRefusal(404, 'there is no earlier deploy');
    if (!committed.isKept(id)) throw new SyncRefusal(404, `there is no deploy "${id}" to return to`);
    await committed.makeLive(id);
    return id;
  }

  async function discard(id: string): Promise<void> {
    if (committed.live()?.id === id) throw new SyncRefusal(409, `deploy "${id}" is live`);
    const deploy = staged.find(id);
    if (deploy) return discardStaged(deploy);
    if (!committed.isKept(id)) throw new SyncRefusal(404, `there is no deploy "${id}"`);
    return committed.discard(id);
  }

  return {
    live: committed.live,
    isStaged: (id) => staged.find(id)?.isClosed === false,
    checkStaged: (id) => void staged.getOpen(id),
    filesOf: (id) => staged.getOpen(id).files,
    put: (id, file, upload) =>
      staged.getOpen(id).inOrder(async () => {
        const { files } = staged.getOpen(id);
        files.set(file, await placeFile(layout.deployFolder(id), file, upload, committed.expectFolder));
      }),
    remove: (id, file) =>
      staged.getOpen(id).inOrder(async () => {
        const { files } = staged.getOpen(id);
        await removeFile(layout.deployFolder(id), file);
        files.delete(file);
      }),
    begin: () => inOrder(begin),
    commit: (id) => inOrder(() => commit(id)),
    rollback: (id) => inOrder(() => rollback(id)),
    discard: (id) => inOrder(() => discard(id)),
    async close() {
      await inOrder(() => undefined);
      await committed.close();
      await removals.close();
    },
  };
}

/** Sorts by time for people who look into the folder. */
function newDeployId(at: Date): string {
  const digits = at.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${digits}-${randomBytes(5).toString('hex')}`;
}
