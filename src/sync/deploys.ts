// The deploys on the volume: staged, made live by one rename of the link `current`, kept for rollbacks, removed. Knows
// nothing of HTTP; must not write through a file of a staged tree, because the live tree shares it.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { createInOrder, type InOrder } from '../lib/queues/in-order.ts';
import { replaceLink, syncFolder } from './disk/durable.ts';
import { type DeployHistory, madeLive, previousOf, surplusOf, without, writeHistory } from './disk/history.ts';
import type { Layout } from './disk/layout.ts';
import { readManifest, writeManifest } from './disk/manifest.ts';
import { recover } from './disk/recover.ts';
import type { TreeFiles } from './disk/tree.ts';
import { runTreeTask } from './disk/tree-work.ts';
import { SyncRefusal } from './refusal.ts';
import { placeFile, removeFile, type UploadedFile } from './staged-files.ts';

/** What is live, with whatever `prepare` made for serving it. */
export interface LiveDeploy<S> {
  id: string;
  files: TreeFiles;
  site: S;
}

export interface SyncDeploys<S> {
  live(): LiveDeploy<S> | undefined;
  /** Stages a copy of the live tree. `base` is the live deploy that it is a copy of. */
  begin(): Promise<{ deployId: string; base: string | null }>;
  /** Files of a staged deploy, or a kept one, so far. @throws SyncRefusal 404 */
  filesOf(id: string): TreeFiles;
  /** @throws SyncRefusal 404 or 409 unless the deploy is staged */
  checkStaged(id: string): void;
  /** Moves an uploaded file to its place. @throws SyncRefusal 404, 409 */
  put(id: string, file: string, upload: UploadedFile): Promise<void>;
  /** A file that does not exist is removed already. @throws SyncRefusal 404, 409 */
  remove(id: string, file: string): Promise<void>;
  /** @throws SyncRefusal 404, 409 */
  commit(id: string): Promise<void>;
  /** Returns the id of what is live then. @throws SyncRefusal 404 */
  rollback(id: string | undefined): Promise<string>;
  /** Removes a staged or kept deploy. @throws SyncRefusal 404, and 409 for the live one */
  discard(id: string): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

interface StagedDeploy {
  id: string;
  files: TreeFiles;
  /** Its commit or removal has begun: no file comes in any more. */
  isClosed: boolean;
  touchedAt: number;
  inOrder: InOrder;
}

export interface DeployParts<S> {
  layout: Layout;
  now(): Date;
  /** Reads what serving a tree needs. */
  prepare(folder: string, files: TreeFiles): Promise<S>;
  log(line: string): void;
}

/** A client that has not touched its deploy for this long will not come back for it. */
const IDLE_MS = 24 * 3600_000;
const MAX_STAGED = 8;

export async function openDeploys<S>({ layout, now, prepare, log }: DeployParts<S>): Promise<SyncDeploys<S>> {
  const inOrder = createInOrder();
  const staged = new Map<string, StagedDeploy>();
  const removals = new Set<Promise<void>>();
  let history: DeployHistory = await recover(layout, log);
  let live: LiveDeploy<S> | undefined = history.live === null ? undefined : await load(history.live);

  async function load(id: string): Promise<LiveDeploy<S>> {
    const folder = layout.deployFolder(id);
    const known = readManifest(layout.manifestFile(id));
    const files = await scan(folder, known, false);
    return { id, files, site: await prepare(folder, files) };
  }

  /** @throws SyncRefusal 409 if the tree has a link */
  async function scan(folder: string, known: TreeFiles, isDurable: boolean): Promise<TreeFiles> {
    try {
      return (await runTreeTask({ kind: 'scan', folder, known, isDurable })) ?? new Map();
    } catch (error) {
      if (!isCode(error, 'FOREIGN_ENTRY')) throw error;
      throw new SyncRefusal(409, (error as Error).message);
    }
  }

  function getStaged(id: string): StagedDeploy {
    const found = staged.get(id);
    if (found?.isClosed === false) {
      found.touchedAt = now().getTime();
      return found;
    }
    if (found || history.order.includes(id)) throw new SyncRefusal(409, `deploy "${id}" is not staged any more`);
    throw new SyncRefusal(404, `there is no deploy "${id}"`);
  }

  /** Takes the tree away at once, and removes it afterwards. */
  async function takeAway(id: string): Promise<void> {
    const folder = path.join(layout.removed, id);
    await fs.promises.rm(layout.manifestFile(id), { force: true });
    await fs.promises.rename(layout.deployFolder(id), folder).catch((error: unknown) => {
      if (!isCode(error, 'ENOENT')) throw error;
    });
    const removal = runTreeTask({ kind: 'remove', folder }).then(
      () => void removals.delete(removal),
      (error: Error) => log(`a removed deploy stays until the next start: ${error.message}`),
    );
    removals.add(removal);
  }

  async function discardStaged(found: StagedDeploy): Promise<void> {
    await found.inOrder(() => {
      found.isClosed = true;
    });
    staged.delete(found.id);
    await takeAway(found.id);
  }

  async function discardIdle(): Promise<void> {
    const oldestFirst = [...staged.values()].sort((a, b) => a.touchedAt - b.touchedAt);
    const surplus = oldestFirst.slice(0, Math.max(0, oldestFirst.length - MAX_STAGED + 1));
    const idle = oldestFirst.filter(({ touchedAt }) => now().getTime() - touchedAt > IDLE_MS);
    for (const found of new Set([...surplus, ...idle])) await discardStaged(found);
  }

  /** The one moment at which the site changes. */
  async function swapTo(next: LiveDeploy<S>): Promise<void> {
    await replaceLink(layout.current, path.join('deploys', next.id), path.join(layout.state, 'current.new'));
    live = next;
    history = madeLive(history, next.id);
    const surplus = surplusOf(history);
    for (const id of surplus) history = without(history, id);
    await writeHistory(layout.history, history);
    for (const id of surplus) await takeAway(id);
  }

  async function commitStaged(found: StagedDeploy): Promise<void> {
    await found.inOrder(() => {
      found.isClosed = true;
    });
    try {
      const folder = layout.deployFolder(found.id);
      const files = await scan(folder, found.files, true);
      await syncFolder(layout.deploys);
      await writeManifest(layout.manifestFile(found.id), files);
      await swapTo({ id: found.id, files, site: await prepare(folder, files) });
    } catch (error) {
      found.isClosed = live?.id === found.id;
      throw error;
    }
    staged.delete(found.id);
  }

  return {
    live: () => live,
    checkStaged: (id) => void getStaged(id),
    filesOf(id) {
      if (live?.id === id) return live.files;
      return (
        staged.get(id)?.files ?? (history.order.includes(id) ? readManifest(layout.manifestFile(id)) : noDeploy(id))
      );
    },
    begin: () =>
      inOrder(async () => {
        await discardIdle();
        const id = newDeployId(now());
        const folder = layout.deployFolder(id);
        try {
          if (live) await runTreeTask({ kind: 'copy', from: layout.deployFolder(live.id), to: folder });
          else await fs.promises.mkdir(folder);
        } catch (error) {
          await takeAway(id);
          throw error;
        }
        const files = new Map(live?.files);
        staged.set(id, { id, files, isClosed: false, touchedAt: now().getTime(), inOrder: createInOrder() });
        return { deployId: id, base: live?.id ?? null };
      }),
    put(id, file, upload) {
      const found = getStaged(id);
      return found.inOrder(async () => {
        getStaged(id);
        found.files.set(file, await placeFile(layout.deployFolder(id), file, upload));
      });
    },
    remove(id, file) {
      const found = getStaged(id);
      return found.inOrder(async () => {
        getStaged(id);
        await removeFile(layout.deployFolder(id), file);
        found.files.delete(file);
      });
    },
    commit: (id) => inOrder(async () => (live?.id === id ? undefined : commitStaged(getStaged(id)))),
    rollback: (wanted) =>
      inOrder(async () => {
        const id = wanted ?? previousOf(history);
        if (id === undefined) throw new SyncRefusal(404, 'there is no earlier deploy');
        if (!history.order.includes(id)) throw new SyncRefusal(404, `there is no deploy "${id}" to return to`);
        if (live?.id !== id) await swapTo(await load(id));
        return id;
      }),
    discard: (id) =>
      inOrder(async () => {
        if (live?.id === id) throw new SyncRefusal(409, `deploy "${id}" is live`);
        const found = staged.get(id);
        if (found) return discardStaged(found);
        if (!history.order.includes(id)) return noDeploy(id);
        history = without(history, id);
        await writeHistory(layout.history, history);
        await takeAway(id);
      }),
    async close() {
      await inOrder(() => undefined);
      await Promise.all(removals);
    },
  };
}

function noDeploy(id: string): never {
  throw new SyncRefusal(404, `there is no deploy "${id}"`);
}

/** Sorts by time for people who look into the folder. */
function newDeployId(at: Date): string {
  const digits = at.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${digits}-${randomBytes(5).toString('hex')}`;
}
