// What a build by a command takes besides its command: the tree, the threads, the list of its output, the redirects, and
// cleaning up.
// Compared with git and tar, which write the same tree and nothing else.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import type { OpenedBuilds } from '../../src/build/service.ts';
import { createCms } from '../../src/cms.ts';
import { parseEnv } from '../../src/config/env.ts';
import { openBuildSandbox } from '../../src/sites/build-sandbox.ts';
import { openSiteBuilds } from '../../src/sites/site-builds.ts';
import { alternate, type Bench } from './bench.ts';
import { configOf } from './documents.ts';
import { makePlace, removePlace } from './place.ts';
import { type BenchRow, toRow } from './table.ts';

const COMMAND = 'mkdir dist && cp -r content dist/';
/** At BAR_COUNT documents (issue: builds). */
const BAR_MS = 500;
const BAR_COUNT = 1000;
const MAX_DOCUMENTS = 10_000;

export async function* buildCommand(bench: Bench): AsyncGenerator<BenchRow> {
  useCompiled(path.join(bench.folder, 'compiled'));
  for (const count of bench.counts.filter((documents) => documents <= MAX_DOCUMENTS)) {
    const place = await makePlace(bench, 'build-command', { count, sharded: false });
    const config = { ...configOf(place), build: { command: COMMAND } };
    const cms = await createCms(config, { dataDir: place.dataDir });
    const { site } = cms;
    const folder = path.join(place.dataDir, 'sites', 'default');
    const env = parseEnv({ CMS_DATA_DIR: place.dataDir });
    const warn = (message: string): void => bench.progress(message);
    const builds = await openSiteBuilds({
      ...{ site, folder, env, warn, variables: process.env },
      configPath: path.join(place.dataDir, 'cms.config.json'),
      sandbox: openBuildSandbox({ env, variables: process.env, warn }),
      findOutsider: () => undefined,
    });
    const scratch = path.join(bench.folder, 'build-scratch');
    // The code of its threads is compiled, as at the second build of a service.
    await build(builds);
    const found = await alternate(bench, {
      whole: () => build(builds),
      git: () => writeByGit(place.repository, scratch),
      // In the folder that git has written.
      command: () => run('sh', ['-c', COMMAND], scratch),
    });
    fs.rmSync(scratch, { recursive: true, force: true });
    yield toRow({
      figure: `a build besides its command, ${count} documents`,
      unit: 'ms',
      values: found.whole.map((ms, round) => ms - found.command[round]!),
      reference: 'git archive | tar -x',
      references: found.git,
      bars: count === BAR_COUNT ? [{ of: 'figure', atMost: BAR_MS }] : [],
    });
    await builds.close();
    await cms.close();
    removePlace(place);
  }
}

/** As `npm start` does for a service and its threads. */
function useCompiled(folder: string): void {
  process.env.NODE_COMPILE_CACHE = folder;
  enableCompileCache(folder);
}

async function build(builds: OpenedBuilds): Promise<number> {
  const startMs = performance.now();
  const signal = new AbortController().signal;
  await builds.build({ isPreview: false, log: () => undefined, signal });
  return performance.now() - startMs;
}

function writeByGit(repository: string, folder: string): number {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  return run('sh', ['-c', 'git --git-dir "$0" archive main | tar -x', repository], folder);
}

function run(program: string, args: readonly string[], cwd: string): number {
  const startMs = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return performance.now() - startMs;
}
