// One build by a command: a fresh folder with the commit's tree, the command in it, and its output taken away. Leaves
// nothing but the output behind, however it ends.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SiteConfig } from '../../config/site-config.ts';
import type { BuildProfile, SiteFile } from '../build.ts';
import type { BuildLimits } from '../profiles.ts';
import { toBuildCollections } from './build-file.ts';
import {
  CONTAINER_HOME,
  CONTAINER_TEMPORARY,
  toClientEnvironment,
  toDockerArguments,
  toDockerImage,
} from './docker.ts';
import { removeContainer } from './docker-client.ts';
import { type BuildFolder, type BuildVariables, toBuildFolder, toEnvironment } from './environment.ts';
import { removeFolder } from './remove-folder.ts';
import { type CommandRun, runCommand, throwIfCancelled } from './run-command.ts';
import { startTreeThread } from './tree-thread.ts';

export interface CommandBuildParts {
  repository: string;
  /** `<data>/sites/<id>/media`. */
  media: string;
  /** `<data>/sites/<id>/builds`. */
  builds: string;
  config: Pick<SiteConfig, 'build' | 'collections'>;
  /** The environment of the service, of which a command gets PATH, and the program `docker` where its server is. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Paths of files that the service does not show. */
  ignored(): readonly string[];
}

export interface CommandBuild extends Omit<BuildVariables, 'env' | 'profile'> {
  profile: BuildProfile & { command: string };
  limits: BuildLimits;
  /** Part of the names of its folder and container: unique. */
  id: string;
  log(text: string): void;
  signal: AbortSignal;
}

/** Returns the folder of the output, which is the caller's, and its files. @throws BuildError */
export async function buildByCommand(
  parts: CommandBuildParts,
  build: CommandBuild,
): Promise<{ folder: string; files: SiteFile[] }> {
  const { profile, id, signal, log, commit } = build;
  const own = path.join(parts.builds, profile.name);
  const folder = toBuildFolder(path.join(own, id));
  const output = path.join(own, `${id}.site`);
  throwIfCancelled(signal);
  try {
    for (const made of [folder.tree, folder.home, folder.temporary])
      await mkdir(made, { recursive: true, mode: 0o700 });
    await using thread = startTreeThread(parts.repository, signal);
    const written = await thread.writeTree({
      ...{ commit, folder: folder.tree, media: parts.media, drafts: profile.drafts, ignored: parts.ignored() },
      collections: toBuildCollections(parts.config),
    });
    log(`Wrote ${written.files} files of commit ${commit}\n`);
    for (const remark of written.remarks) log(`${remark}\n`);
    log(`$ ${profile.command}\n`);
    await runCommand(toRun(parts, build, folder));
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

function toRun(parts: CommandBuildParts, build: CommandBuild, folder: BuildFolder): CommandRun {
  const { variables, config, builds } = parts;
  const { limits, profile, id, log, signal } = build;
  const named = { ...build, env: limits.env, profile: profile.name };
  const mark = `TMPDIR=${folder.temporary}`;
  const common = { cwd: folder.tree, timeoutMs: limits.timeoutMs, mark, log, signal };
  const docker = config.build?.docker;
  if (docker === undefined) {
    const env = toEnvironment(named, folder, variables.PATH);
    // A command that is found by its own TMPDIR is one that has it.
    return { ...common, program: 'sh', args: ['-c', profile.command], env: { ...env, TMPDIR: folder.temporary } };
  }
  const client = toClientEnvironment(variables);
  const name = `colophon-${id}`;
  const { getuid, getgid } = process;
  const args = toDockerArguments({
    ...toDockerImage(docker),
    ...{ name, label: builds, folder, network: config.build?.dockerNetwork, command: profile.command },
    user: getuid && getgid ? { uid: getuid.call(process), gid: getgid.call(process) } : undefined,
    env: toEnvironment(named, { home: CONTAINER_HOME, temporary: CONTAINER_TEMPORARY }),
  });
  return {
    ...common,
    ...{ program: 'docker', args, env: { ...client, TMPDIR: folder.temporary } },
    onCut: () => removeContainer(name, client),
  };
}
