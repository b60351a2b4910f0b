// The deploys that were committed: the live one, and those that are kept for rollbacks. A deploy becomes live with the
// rename of the link `current`, and with nothing else.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { syncFolder } from '../disk/durable.ts';
import { type KeptDeploys, madeLive, previousOf, surplusOf, without, writeHistory } from '../disk/history.ts';
import type { VolumeLayout } from '../disk/layout.ts';
import { readManifest, writeManifest } from '../disk/manifest.ts';
import type { Removals } from '../disk/removals.ts';
import { createSpareTree } from '../disk/spare-tree.ts';
import { syncTree } from '../disk/sync-tree.ts';
import type { TreeFiles } from '../disk/tree.ts';
import { runTreeTask } from '../disk/tree-work.ts';
import { SyncRefusal } from '../refusal.ts';

/** What is live, with whatever `prepare` made for serving it. */
export interface CommittedDeploy<S> {
  id: string;
  files: TreeFiles;
  site: S;
}

export interface CommittedDeploys<S> {
  live(): CommittedDeploy<S> | undefined;
  isKept(id: string): boolean;
  /** The one before the live one. */
  previous(): string | undefined;
  /** Makes `folder` a copy of the live tree. */
  copyLive(folder: string): Promise<void>;
  /** The next deploy will have this folder. */
  expectFolder(folder: string): Promise<void>;
  /** Makes a staged tree live. @throws SyncRefusal 409 if it has a link */
  commit(id: string, files: TreeFiles): Promise<void>;
  /** Makes a kept deploy live; the live one: completes what an error left open. */
  makeLive(id: string): Promise<void>;
  /** Removes a kept deploy that is not live. */
  discard(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface CommittedParts<S> {
  layout: VolumeLayout;
  history: KeptDeploys;
  removals: Removals;
  /** Reads what serving a tree needs. */
  prepare(folder: string, files: TreeFiles): Promise<S>;
  log(line: string): void;
}

export async function openCommitted<S>({
  layout,
  history: found,
  removals,
  prepare,
  log,
}: CommittedParts<S>): Promise<CommittedDeploys<S>> {
  const spare = createSpareTree(layout.spare, log);
  let history = found;
  let live = history.live === null ? undefined : await load(history.live);
  /** Whether an error came between the rename and the end of a swap. */
  let isUnfinished = false;
  if (live) prepareSpare(live, undefined);

  async function load(id: string): Promise<CommittedDeploy<S>> {
    const folder = layout.deployFolder(id);
    const files = await scan(folder, readManifest(layout.manifestFile(id)));
    return { id, files, site: await prepare(folder, files) };
  }

  function prepareSpare({ id, files }: CommittedDeploy<S>, old: string | undefined): void {
    spare.prepare({ id, files, folder: layout.deployFolder(id) }, old);
  }

  async function swapTo(next: CommittedDeploy<S>): Promise<void> {
    const link = path.join(layout.state, 'current.new');
    await fs.promises.rm(link, { force: true });
    await fs.promises.symlink(path.join('deploys', next.id), link);
    await fs.promises.rename(link, layout.current);
    live = next;
    isUnfinished = true;
    await finishSwap(next);
  }

  async function finishSwap(next: CommittedDeploy<S>): Promise<void> {
    await syncFolder(layout.root);
    history = madeLive(history, next.id);
    const surplus = surplusOf(history);
    history = surplus.reduce(without, history);
    await writeHistory(layout.history, history);
    isUnfinished = false;
    const [old, ...others] = await Promise.all(surplus.map(removals.takeAway));
    prepareSpare(next, old);
    for (const folder of others) removals.removeLater(folder);
  }

  return {
    live: () => live,
    isKept: (id) => live?.id === id || history.order.includes(id),
    previous: () => previousOf(history),
    async copyLive(folder) {
      if (live) await spare.take({ ...live, folder: layout.deployFolder(live.id) }, folder);
      else await fs.promises.mkdir(folder);
    },
    expectFolder: spare.expectFolder,
    async commit(id, staged) {
      const folder = layout.deployFolder(id);
      const files = await scan(folder, staged);
      await syncTree(folder);
      await syncFolder(layout.deploys);
      await writeManifest(layout.manifestFile(id), files);
      await swapTo({ id, files, site: await prepare(folder, files) });
    },
    async makeLive(id) {
      if (live?.id !== id) await swapTo(await load(id));
      else if (isUnfinished) await finishSwap(live);
    },
    async discard(id) {
      history = without(history, id);
      await writeHistory(layout.history, history);
      removals.removeLater(await removals.takeAway(id));
    },
    close: () => spare.close(),
  };
}

/** @throws SyncRefusal 409 if the tree has a link */
async function scan(folder: string, known: TreeFiles): Promise<TreeFiles> {
  try {
    return await runTreeTask({ kind: 'scan', folder, files: known });
  } catch (error) {
    if (!isCode(error, 'FOREIGN_ENTRY')) throw error;
    throw new SyncRefusal(409, (error as Error).message);
  }
}
