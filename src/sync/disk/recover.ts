// The start: finds what is live, and takes away what a crash left half done. Nothing that was not committed survives it.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { type KeptDeploys, madeLive, readHistory, surplusOf, without, writeHistory } from './history.ts';
import type { VolumeLayout } from './layout.ts';

export interface RecoveredVolume {
  history: KeptDeploys;
  /** Folders to be removed; nothing reads them. */
  leftovers: string[];
}

/** @throws an Error that says what to do, if `current` is not a link to a deploy */
export async function recover(layout: VolumeLayout, log: (line: string) => void): Promise<RecoveredVolume> {
  for (const folder of [layout.deploys, layout.manifests, layout.removed, layout.uploads]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  for (const name of fs.readdirSync(layout.uploads)) fs.rmSync(path.join(layout.uploads, name), { recursive: true });
  const live = findLive(layout, log);
  const written = readHistory(layout.history);
  const present = new Set(listFolders(layout.deploys));
  const kept = { order: written.order.filter((id) => present.has(id)), live: written.live };
  const found = live === undefined ? { ...kept, live: null } : madeLive(kept, live);
  // A crash between the swap and the history left one too many.
  const history = surplusOf(found).reduce(without, found);
  await writeHistory(layout.history, history);
  for (const name of fs.readdirSync(layout.deploys)) {
    if (history.order.includes(name)) continue;
    log(`deploy "${name}" was never committed, or is not kept any more; it is removed`);
    const folder = path.join(layout.removed, name);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(path.join(layout.deploys, name), folder);
  }
  for (const name of fs.readdirSync(layout.manifests)) {
    if (!history.order.includes(path.basename(name, '.json'))) fs.rmSync(path.join(layout.manifests, name));
  }
  return { history, leftovers: fs.readdirSync(layout.removed).map((name) => path.join(layout.removed, name)) };
}

function findLive({ current, root, deploys }: VolumeLayout, log: (line: string) => void): string | undefined {
  const link = readLink(current);
  if (link === undefined) return undefined;
  const folder = path.resolve(root, link);
  if (path.dirname(folder) !== path.resolve(deploys)) {
    throw new Error(`"${current}" leads to "${link}", which is not a deploy; remove the link to start without a site`);
  }
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return path.basename(folder);
  log(`"${current}" leads to a deploy that does not exist; there is no site until the next deploy`);
  return undefined;
}

function readLink(file: string): string | undefined {
  try {
    return fs.readlinkSync(file);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (!isCode(error, 'EINVAL')) throw error;
    throw new Error(`"${file}" is not a symbolic link; move it away to start without a site`);
  }
}

function listFolders(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
