// The door of builds: which profile, which commit, and who makes the site, a command or the static builder. One build of
// a profile at a time; what a deploy reads of it stays until the profile's next one has succeeded.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SiteConfig } from '../config/site-config.ts';
import { layoutOf, parsePath } from '../content/files/paths.ts';
import type { ContentView } from '../content/rows/view.ts';
import { isCode } from '../lib/error-code.ts';
import { invalid } from '../lib/errors.ts';
import { createInOrderByKey } from '../lib/queues/in-order-by-key.ts';
import type { Warn } from '../lib/warn.ts';
import type { Store } from '../store/store.ts';
import {
  BuildError,
  type BuildProfile,
  type BuildRequest,
  type Builds,
  type BuiltSite,
  type Redirect,
  type SiteFile,
} from './build.ts';
import { buildByCommand } from './command/build-by-command.ts';
import type { CommandBuildParts } from './command/command-build.ts';
import { toClientEnvironment } from './command/docker.ts';
import { removeContainersOf } from './command/docker-client.ts';
import { endProcesses } from './command/processes.ts';
import { removeFolder } from './command/remove-folder.ts';
import { getBuildProfile, toBuildLimits, toBuildProfiles } from './profiles.ts';
import { toBuildFolder } from './sandbox/build-folder.ts';
import type { BuildSandbox } from './sandbox/sandbox.ts';

/** What the static builder is asked for. */
export interface StaticBuildRequest extends Pick<BuildRequest, 'isPreview' | 'log' | 'signal'> {
  profile: BuildProfile;
  commit: string;
  isFull: boolean;
  /** `<data>/sites/<id>/builds/<profile>`: its output, and what it knows of it. */
  folder: string;
}

export interface BuildsParts {
  siteId: string;
  /** `<data>/sites/<id>`. */
  folder: string;
  config: SiteConfig;
  store: {
    repository: string;
    log: { flush(): Promise<void>; status(): Pick<ReturnType<Store['log']['status']>, 'gitHead'> };
  };
  view: Pick<ContentView, 'bySlug'>;
  /** Files with a problem, by path. */
  warnings: ReadonlyMap<string, string>;
  /** Addresses of the service and of its admin pages; empty if they are not known. */
  urls(): { url: string; adminUrl: string };
  variables: Readonly<Record<string, string | undefined>>;
  /** Redirects from earlier addresses of the commit's published documents; `folder` as for the static builder. */
  findRedirects(
    request: Pick<StaticBuildRequest, 'commit' | 'folder' | 'log' | 'signal'>,
  ): Promise<BuiltSite['redirects']>;
  buildStatic(request: StaticBuildRequest): Promise<BuiltSite>;
  sandbox: BuildSandbox;
  /** Who, besides admins of all sites, may have written what a build runs; undefined if nobody. */
  findOutsider(): string | undefined;
  warn: Warn;
}

export interface OpenedBuilds extends Builds {
  /** Ends the builds under way, with all of their processes. */
  close(): Promise<void>;
}

/** How a folder is called that was a build's until the process ended: a UUID, and its output. */
const OF_BUILD = /^[0-9a-f-]{36}(?:\.site)?$/;

/** Removes what a crash left: folders, processes and containers of builds. */
export async function openBuilds(parts: BuildsParts): Promise<OpenedBuilds> {
  const { config, store, warnings, view, siteId, sandbox, warn } = parts;
  const folder = path.join(parts.folder, 'builds');
  const inOrder = createInOrderByKey();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  await sweep(folder, parts.variables, warn);
  const hasCommand = toBuildProfiles(config).some(({ command }) => command !== undefined);
  if (hasCommand && config.build?.docker === undefined) await sandbox.prepare();

  const command: CommandBuildParts = {
    ...{ repository: store.repository, media: path.join(parts.folder, 'media'), builds: folder },
    ...{ config, variables: parts.variables },
    ignored: () => [...warnings.keys()].filter((file) => !isShown(view, file)),
  };

  async function check({
    profile: name,
    isPreview,
  }: Pick<BuildRequest, 'profile' | 'isPreview'>): Promise<BuildProfile> {
    const profile = getBuildProfile(config, name);
    if (profile.drafts && !isPreview)
      throw invalid(`build profile "${profile.name}" has drafts, so it makes previews only; set "preview"`);
    if (profile.command !== undefined) await sandbox.choose(config.build, parts.findOutsider);
    return profile;
  }

  async function buildNow(profile: BuildProfile, request: BuildRequest, signal: AbortSignal): Promise<BuiltSite> {
    await store.log.flush();
    const commit = store.log.status().gitHead;
    if (commit === null) throw new BuildError('there is nothing to build yet: the site has no content');
    const { isPreview, isFull = false, log } = request;
    const own = path.join(folder, profile.name);
    if (profile.command === undefined)
      return parts.buildStatic({ profile, commit, isPreview, isFull, log, signal, folder: own });
    const id = randomUUID();
    const ending = new AbortController();
    const part = { commit, log, signal: AbortSignal.any([signal, ending.signal]) };
    // Found while the command runs.
    const redirects = parts.findRedirects({ ...part, folder: own });
    // The error is thrown below, where it is awaited.
    redirects.catch(() => undefined);
    try {
      const site = await buildByCommand(command, {
        ...{ ...parts.urls(), site: siteId, id, ...part },
        profile: { ...profile, command: profile.command },
        // Asked again: accounts may have changed while the build waited.
        isolation: await sandbox.choose(config.build, parts.findOutsider),
        limits: toBuildLimits(config),
      });
      const fitting = fitRedirects(await redirects, site.files);
      await removeOthers(own, path.basename(site.folder));
      return { ...site, commit, redirects: fitting };
    } finally {
      ending.abort();
    }
  }

  return {
    check,
    async build(request) {
      const profile = await check(request);
      const signal = AbortSignal.any([request.signal, closing.signal]);
      const built = inOrder(profile.name, () => buildNow(profile, request, signal));
      // The caller gets the error.
      const settled = built.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return built;
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** Those from where the site has no page to where it has one: a command decides which pages there are. */
export function fitRedirects(redirects: readonly Redirect[], files: readonly SiteFile[]): Redirect[] {
  const paths = new Set(files.map((file) => `/${file.path}`));
  const hasPage = (address: string): boolean =>
    [`${address}index.html`, `${address.slice(0, -1)}.html`, address.slice(0, -1)].some((file) => paths.has(file));
  return redirects.filter(({ from, to }) => !hasPage(from) && hasPage(to));
}

/** False for a file that waits for the id or slug of another, or is not a document. */
function isShown(view: Pick<ContentView, 'bySlug'>, file: string): boolean {
  const place = parsePath(file);
  if (!place) return true;
  return view.bySlug(place.collection, place.slug)?.layout === layoutOf(file);
}

async function sweep(folder: string, variables: BuildsParts['variables'], warn: Warn): Promise<void> {
  const left: string[] = [];
  for (const profile of await listNames(folder)) {
    for (const name of await listNames(path.join(folder, profile))) {
      if (OF_BUILD.test(name)) left.push(path.join(folder, profile, name));
    }
  }
  for (const build of left) {
    try {
      await endProcesses({ group: undefined, mark: `TMPDIR=${toBuildFolder(build).temporary}`, graceMs: 0 });
      await removeFolder(build);
    } catch (error) {
      warn(`the folder of a build, "${build}", cannot be removed`, error);
    }
  }
  // A folder that is not an output is that of a build which a crash cut off.
  if (left.some((build) => !build.endsWith('.site'))) await removeContainersOf(folder, toClientEnvironment(variables));
}

async function removeOthers(folder: string, kept: string): Promise<void> {
  for (const name of await listNames(folder)) {
    if (name !== kept && OF_BUILD.test(name)) await removeFolder(path.join(folder, name));
  }
}

/** Empty if there is no such folder. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
