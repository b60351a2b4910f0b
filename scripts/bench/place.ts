// Data folders full of documents: planted once for each size and layout, then copied.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createCms } from '../../src/cms.ts';
import { openStore } from '../../src/store/store.ts';
import type { Bench } from './bench.ts';
import { configOf, createDocuments, fileBatches, type Layout } from './documents.ts';

export interface Place extends Layout {
  dataDir: string;
  /** Its configuration, as a file. */
  configPath: string;
  repository: string;
  /** The folder of its saved views. */
  indexFolder: string;
}

/** `name` is the copy's. */
export async function makePlace(bench: Bench, name: string, layout: Layout): Promise<Place> {
  const key = `${layout.count}${layout.sharded ? '-sharded' : ''}`;
  const planted = toPlace(bench, `planted-${key}`, layout);
  if (!fs.existsSync(planted.dataDir)) {
    bench.progress(`plant ${key} documents`);
    await plant(planted);
  }
  const place = toPlace(bench, `${name}-${key}`, layout);
  fs.cpSync(planted.dataDir, place.dataDir, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
  return place;
}

export function removePlace(place: Place): void {
  fs.rmSync(place.dataDir, { recursive: true, force: true });
}

function toPlace({ folder }: Bench, name: string, layout: Layout): Place {
  const dataDir = path.join(folder, name);
  const configPath = path.join(folder, layout.sharded ? 'sharded.config.json' : 'cms.config.json');
  fs.writeFileSync(configPath, JSON.stringify(configOf(layout)));
  const site = path.join(dataDir, 'sites', 'default');
  return {
    ...layout,
    dataDir,
    configPath,
    repository: path.join(site, 'content.git'),
    indexFolder: path.join(site, 'index'),
  };
}

/** With saved views, so that only the first start has to index. */
async function plant({ dataDir, ...layout }: Place): Promise<void> {
  const store = openStore({ folder: path.join(dataDir, 'sites', 'default') });
  const author = { name: 'Bench', email: 'bench@localhost' };
  const nothing = (): void => undefined;
  for (const files of fileBatches(createDocuments(), layout)) {
    const draft = { files, author, at: Date.now(), subject: 'content: plant', trailers: ['Event: content.imported'] };
    await store.log.append({ ...draft, apply: nothing, undo: nothing }).durable;
  }
  await store.close();
  const cms = await createCms(configOf(layout), { dataDir });
  await cms.site.saveViews();
  await cms.close();
}

/** Commits on the branch, as git counts them. */
export function countCommits({ repository }: Place): number {
  return Number(git(repository, ['rev-list', '--count', 'main']));
}

/** Git needs half a second for a million entries of trees; a walk of more would take longer than the benchmark. */
const WALKED_ENTRIES = 30_000_000;
const WALKED_COMMITS = 200;

/**
 * What was counted is valid git: checks everything or, if that is too much to walk, every object of the newest commits.
 */
export function checkRepository(place: Place): void {
  const entries = place.sharded ? 256 + place.count / 256 : place.count;
  if (entries * countCommits(place) < WALKED_ENTRIES) {
    git(place.repository, ['fsck', '--strict', '--no-dangling', '--no-progress']);
  } else {
    git(place.repository, ['rev-list', '--verify-objects', '--quiet', `main~${WALKED_COMMITS}..main`]);
  }
}

export function git(repository: string, args: readonly string[], input?: Buffer): string {
  const { status, stdout, stderr } = spawnSync('git', ['-C', repository, ...args], {
    maxBuffer: 4 << 30,
    ...(input ? { input } : {}),
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}${stdout.subarray(0, 1000)}`);
  return stdout.toString();
}
