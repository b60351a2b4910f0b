// One build by a command: a fresh folder with the commit's tree, the command in it, and its output taken away. Leaves
// nothing but the output behind, however it ends.

import path from 'node:path';
import type { SiteFile } from '../build.ts';
import { type BuildFolder, toBuildFolder } from '../sandbox/build-folder.ts';
import { findBuilder } from '../sandbox/builder-user.ts';
import { prepareFolder } from '../sandbox/prepare-folder.ts';
import { toBuildCollections } from './build-file.ts';
import type { CommandBuild, CommandBuildParts } from './command-build.ts';
import { removeFolder } from './remove-folder.ts';
import { runCommand, throwIfCancelled } from './run-command.ts';
import { watchSpace } from './space.ts';
import { toRun } from './to-run.ts';
import { startTreeThread } from './tree-thread.ts';

/** Returns the folder of the output, which is the caller's, and its files. @throws BuildError */
export async function buildByCommand(
  parts: CommandBuildParts,
  build: CommandBuild,
): Promise<{ folder: string; files: SiteFile[] }> {
  const { profile, id, isolation, signal, log, commit } = build;
  const own = path.join(parts.builds, profile.name);
  const folder = toBuildFolder(path.join(own, id));
  const output = path.join(own, `${id}.site`);
  throwIfCancelled(signal);
  try {
    const builder = isolation.kind === 'unconfined' ? undefined : findBuilder();
    await prepareFolder(folder, isolation.kind === 'bwrap' ? isolation.network : 'none', builder);
    await using thread = startTreeThread(parts.repository, signal);
    const written = await thread.writeTree({
      ...{ commit, folder: folder.tree, media: parts.media, drafts: profile.drafts, ignored: parts.ignored() },
      owner: builder,
      collections: toBuildCollections(parts.config),
    });
    log(`Wrote ${written.files} files of commit ${commit}\n`);
    for (const remark of written.remarks) log(`${remark}\n`);
    if ('remark' in isolation && isolation.remark !== '') log(`${isolation.remark}\n`);
    log(`$ ${profile.command}\n`);
    await runInSpace(parts, build, folder);
    const files = await thread.takeOutput(folder.tree, profile.outDir, output);
    log(`The command made ${files.length} files in "${profile.outDir}"\n`);
    return { folder: output, files };
  } catch (error) {
    await removeFolder(output);
    throw error;
  } finally {
    await removeFolder(folder.path);
  }
}

/** @throws BuildError also if the disk becomes full */
async function runInSpace(parts: CommandBuildParts, build: CommandBuild, folder: BuildFolder): Promise<void> {
  using space = watchSpace(folder.path);
  try {
    await runCommand(toRun(parts, { ...build, signal: AbortSignal.any([build.signal, space.signal]) }, folder));
  } catch (error) {
    throwIfCancelled(build.signal);
    throw space.signal.aborted ? space.signal.reason : error;
  }
}
