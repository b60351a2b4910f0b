// Builds a site for the command line, in this process: from the newest commit of the branch, beside a running service or
// without one.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BuildError, type BuildProfile, type BuiltSite } from '../build/build.ts';
import { getBuildProfile, toBuildLimits } from '../build/profiles.ts';
import type { BuildSandbox } from '../build/sandbox/sandbox.ts';
import { buildSite } from '../build/site/build-site.ts';
import { PlanError } from '../build/site/plan/plan-error.ts';
import { runBriefly } from '../build/site/run-briefly.ts';
import type { SiteBuildCalls } from '../build/site/site-build.ts';
import { findThemeFolder, toBuildPlaces } from '../build/site/site-place.ts';
import { openOutput } from '../build/site/write/output.ts';
import type { SiteConfig } from '../config/site-config.ts';
import { ServiceError } from '../lib/errors.ts';
import { COMMITTER } from '../store/committer.ts';
import { nodeDisk } from '../store/disk/disk.ts';
import { createBranch } from '../store/repository/refs.ts';
import { findBuildOutsider } from './build-sandbox.ts';

export interface BuildOnceOptions extends SiteBuildCalls {
  siteId: string;
  config: SiteConfig;
  configPath: string;
  /** The site's part of the data folder. */
  folder: string;
  publicUrl: string | undefined;
  adminUrl: string | undefined;
  /** The environment of this process, of which a build command gets a part. */
  variables: Readonly<Record<string, string | undefined>>;
  sandbox: BuildSandbox;
  findOutsider(): string | undefined;
  /** A profile's name; the default one if undefined. */
  profile: string | undefined;
  /** The profile's if undefined. */
  outDir: string | undefined;
  isFull: boolean;
}

/** Whether the site has a commit to build. */
export function hasCommits(folder: string): boolean {
  return createBranch(nodeDisk, path.join(folder, 'content.git')).read() !== null;
}

/** Returns the problems of the site or its theme if it cannot be built. @throws if there is no such profile */
export async function buildOnce(
  options: BuildOnceOptions,
): Promise<{ problems: readonly string[]; built: BuiltSite | undefined }> {
  const profile = getBuildProfile(options.config, options.profile);
  const outDir = path.resolve(options.outDir ?? profile.outDir);
  try {
    const built =
      profile.command === undefined
        ? await buildByTheme(options, profile, outDir)
        : await buildByProgram(options, { ...profile, command: profile.command }, outDir);
    return { problems: [], built };
  } catch (error) {
    if (error instanceof PlanError) return { problems: error.problems, built: undefined };
    if (error instanceof BuildError) return { problems: [error.message], built: undefined };
    throw error;
  }
}

function buildByTheme(options: BuildOnceOptions, { drafts }: BuildProfile, outDir: string): Promise<BuiltSite> {
  runBriefly();
  const { siteId, config, configPath, folder, adminUrl, isFull, log, onProgress, signal } = options;
  const order = {
    ...{ siteId, config, isFull, adminUrl, outDir, drafts },
    ...toBuildPlaces(folder, outDir),
    committer: COMMITTER,
    themeFolder: findThemeFolder(config, configPath),
    isPreview: drafts,
    writesRedirects: true,
  };
  return buildSite(order, { log, ...(onProgress ? { onProgress } : {}), signal });
}

/** Runs outside of the data folder: a start of the service removes builds that it finds there. */
async function buildByProgram(
  { siteId, config, folder, publicUrl = '', adminUrl = '', variables, log, signal, ...options }: BuildOnceOptions,
  profile: BuildProfile & { command: string },
  outDir: string,
): Promise<BuiltSite> {
  const { repository, mediaFolder } = toBuildPlaces(folder, outDir);
  const commit = createBranch(nodeDisk, repository).read();
  if (commit === null) throw new BuildError(`site "${siteId}" has no content yet`);
  const isolation = await chooseIsolation(config, options);
  const { buildByCommand } = await import('../build/command/build-by-command.ts');
  const builds = await mkdtemp(path.join(tmpdir(), 'colophon-build-'));
  const output = openOutput(outDir);
  try {
    const { folder: from, files } = await buildByCommand(
      { repository, media: mediaFolder, builds, config, variables, ignored: () => [] },
      {
        ...{ profile, isolation, log, signal, commit, adminUrl },
        url: publicUrl,
        site: siteId,
        id: randomUUID(),
        limits: toBuildLimits(config),
      },
    );
    for (const { path: file, ...made } of files) output.copy(file, path.join(from, file), made);
    await output.settled();
    return { folder: outDir, files: output.finish(() => undefined), commit, redirects: [] };
  } catch (error) {
    await output.abandon();
    throw error;
  } finally {
    await output.close();
    await rm(builds, { recursive: true, force: true });
  }
}

/** @throws BuildError that says what to install */
async function chooseIsolation(
  config: SiteConfig,
  { sandbox, findOutsider }: Pick<BuildOnceOptions, 'sandbox' | 'findOutsider'>,
) {
  try {
    return await sandbox.choose(config.build, () => findBuildOutsider(config, findOutsider));
  } catch (error) {
    if (error instanceof ServiceError) throw new BuildError(error.message);
    throw error;
  }
}
