// What runs for a build in its isolation: bwrap, docker or, unconfined, the shell itself.
import os from 'node:os';
import { type BuildFolder, HOME, TEMPORARY } from '../sandbox/build-folder.ts';
import { findContainerUser } from '../sandbox/builder-user.ts';
import { toSandboxCommand } from '../sandbox/bwrap.ts';
import type { BwrapIsolation, DockerIsolation } from '../sandbox/isolation.ts';
import { toMemoryBytes } from '../sandbox/limits.ts';
import type { CommandBuild, CommandBuildParts } from './command-build.ts';
import { toClientEnvironment, toDockerArguments, toDockerImage } from './docker.ts';
import { removeContainer } from './docker-client.ts';
import { toEnvironment } from './environment.ts';
import type { CommandRun } from './run-command.ts';

type Common = Pick<CommandRun, 'cwd' | 'timeoutMs' | 'mark' | 'log' | 'signal'>;

export function toRun(parts: CommandBuildParts, build: CommandBuild, folder: BuildFolder): CommandRun {
  const { isolation, limits, log, signal } = build;
  // The program has it in its environment, whatever a command does to its own.
  const mark = `TMPDIR=${folder.temporary}`;
  const common = { cwd: folder.tree, timeoutMs: limits.timeoutMs, mark, log, signal };
  if (isolation.kind === 'bwrap') return inBwrap(isolation, build, folder, common);
  if (isolation.kind === 'docker') return inDocker(isolation, parts, build, folder, common);
  const env = { ...toEnvironment(toNamed(build), folder, parts.variables.PATH), TMPDIR: folder.temporary };
  return { ...common, program: 'sh', args: ['-c', build.profile.command], env };
}

function toNamed(build: CommandBuild) {
  return { ...build, env: build.limits.env, profile: build.profile.name };
}

function inBwrap(isolation: BwrapIsolation, build: CommandBuild, folder: BuildFolder, common: Common): CommandRun {
  const { searchPath } = isolation.folders;
  const [program, ...args] = toSandboxCommand({
    ...{ ...isolation, folder, ownAddresses: listOwnAddresses(), command: build.profile.command },
    env: toEnvironment(toNamed(build), { home: HOME, temporary: TEMPORARY }, searchPath),
  });
  return { ...common, program, args, env: { TMPDIR: folder.temporary } };
}

function inDocker(
  { network }: DockerIsolation,
  { variables, config, builds }: CommandBuildParts,
  build: CommandBuild,
  folder: BuildFolder,
  common: Common,
): CommandRun {
  const client = toClientEnvironment(variables);
  const name = `colophon-${build.id}`;
  const args = toDockerArguments({
    ...toDockerImage(config.build!.docker!),
    ...{ name, label: builds, network, folder, command: build.profile.command, memoryBytes: toMemoryBytes() },
    user: findContainerUser(),
    env: toEnvironment(toNamed(build), { home: HOME, temporary: TEMPORARY }),
  });
  return {
    ...common,
    ...{ program: 'docker', args, env: { ...client, TMPDIR: folder.temporary } },
    onCut: () => removeContainer(name, client),
  };
}

/** IPv4: a build has no other. */
function listOwnAddresses(): string[] {
  const all = Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses);
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
}
