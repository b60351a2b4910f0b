// The same command in a container: the arguments of `docker run`. Must give the container the folder of the build and
// nothing else of this machine. Pure.
import type { SiteConfig } from '../../config/site-config.ts';
import { invalid } from '../../lib/errors.ts';
import { type BuildFolder, HOME, TEMPORARY, TREE } from '../sandbox/build-folder.ts';
import { MAX_PROCESSES } from '../sandbox/limits.ts';

type Docker = NonNullable<NonNullable<SiteConfig['build']>['docker']>;
type Preset = Extract<Docker, string>;

export interface DockerImage {
  image: string;
  /** The path of the tree in the container. */
  workdir: string;
}

/** By tag, so that a site is built tomorrow with what it was built with today. */
const PRESETS: Record<Preset, string> = {
  php: 'php:8.4-cli-bookworm',
  laravel: 'composer:2.8',
  python: 'python:3.13-bookworm',
  django: 'python:3.13-bookworm',
  ruby: 'ruby:3.4-bookworm',
  rails: 'ruby:3.4-bookworm',
  go: 'golang:1.24-bookworm',
  hugo: 'hugomods/hugo:exts-0.147.9',
  node: 'node:24-bookworm',
  dotnet: 'mcr.microsoft.com/dotnet/sdk:9.0-bookworm-slim',
};
/** A reference to an image; nothing that begins like an option. */
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/;
/** What the program `docker` finds its configuration and its server by. */
const OF_CLIENT = /^(?:PATH|HOME|DOCKER_[A-Z_]+|XDG_RUNTIME_DIR|SSH_AUTH_SOCK)$/;

/** @throws 400 if the configuration's image or folder is not one */
export function toDockerImage(docker: Docker): DockerImage {
  const { image, workdir = TREE } = typeof docker === 'string' ? { image: PRESETS[docker] } : docker;
  if (!IMAGE.test(image)) throw invalid(`build.docker: "${image}" is not the name of an image`);
  if (!/^\/[^"\p{Cc}]+$/u.test(workdir)) throw invalid(`build.docker: "${workdir}" is not an absolute path`);
  return { image, workdir };
}

/** A name, and none that is the network of this machine or of another container. */
const NETWORK = /^(?!host$)[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** @throws 400 if `build.dockerNetwork` is not the name of a network */
export function toDockerNetwork(network: string | undefined, wantsNetwork: boolean): string {
  if (network === undefined) return 'none';
  if (!NETWORK.test(network)) throw invalid(`build.dockerNetwork: "${network}" is not a network of its own`);
  return wantsNetwork ? network : 'none';
}

/** The variables of the service that the program `docker` needs to find its server. */
export function toClientEnvironment(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = Object.entries(variables).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && OF_CLIENT.test(pair[0]),
  );
  return Object.fromEntries(own);
}

export interface DockerRun extends DockerImage {
  /** By which it is ended. */
  name: string;
  /** Value of the label `colophon.builds`, by which a later start finds what a crash left. */
  label: string;
  network: string;
  memoryBytes: number;
  user: { uid: number; gid: number } | undefined;
  folder: BuildFolder;
  /** The variables of the command, HOME and TMPDIR as paths in the container. */
  env: Readonly<Record<string, string>>;
  command: string;
}

/** The arguments of the program `docker`. */
export function toDockerArguments(run: DockerRun): string[] {
  const { name, label, network, memoryBytes, user, folder, image, workdir, env, command } = run;
  const mounts = [
    [folder.tree, workdir],
    [folder.home, HOME],
    [folder.temporary, TEMPORARY],
  ].flatMap(([from, to]) => ['--mount', ['type=bind', `source=${from}`, `target=${to}`].map(quoted).join(',')]);
  return [
    ...['run', '--rm', '--init', '--name', name, '--label', `colophon.builds=${label}`],
    ...['--network', network, '--security-opt', 'no-new-privileges', '--cap-drop=ALL'],
    // The second includes the first: no swap.
    ...['--memory', String(memoryBytes), '--memory-swap', String(memoryBytes)],
    ...['--pids-limit', String(MAX_PROCESSES), '--oom-score-adj', '1000'],
    ...(user ? ['--user', `${user.uid}:${user.gid}`] : []),
    ...mounts,
    ...['--workdir', workdir],
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    // An image may have an entry point of its own.
    ...['--entrypoint', 'sh', image, '-c', command],
  ];
}

/** `--mount` reads a line of CSV. */
function quoted(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
