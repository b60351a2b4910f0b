// Builds a site for the command line, in this process: from the newest commit of the branch, beside a running service or
// without one.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { BuiltSite } from '../build/build.ts';
import { buildSite } from '../build/site/build-site.ts';
import { PlanError } from '../build/site/plan/plan-error.ts';
import type { SiteBuildCalls } from '../build/site/site-build.ts';
import { findThemeFolder, toBuildPlaces } from '../build/site/site-place.ts';
import type { SiteConfig } from '../config/site-config.ts';
import { nodeDisk } from '../store/disk/disk.ts';
import { createBranch } from '../store/repository/refs.ts';
import { COMMITTER } from '../store/store.ts';

export interface BuildOnceOptions extends SiteBuildCalls {
  siteId: string;
  config: SiteConfig;
  configPath: string;
  /** The site's part of the data folder. */
  folder: string;
  adminUrl: string | undefined;
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
  const { siteId, config, configPath, folder, adminUrl, isFull, log, onProgress, signal } = options;
  const profile = findProfile(config, options.profile);
  const outDir = path.resolve(options.outDir ?? profile.outDir);
  const order = {
    siteId,
    config,
    ...toBuildPlaces(folder, outDir),
    committer: COMMITTER,
    themeFolder: findThemeFolder(config, configPath),
    outDir,
    drafts: profile.drafts,
    isPreview: profile.drafts,
    isFull,
    threads: Math.min(availableParallelism(), 2),
    adminUrl,
    writesRedirects: true,
  };
  try {
    return { problems: [], built: await buildSite(order, { log, ...(onProgress ? { onProgress } : {}), signal }) };
  } catch (error) {
    if (error instanceof PlanError) return { problems: error.problems, built: undefined };
    throw error;
  }
}

function findProfile(
  { build }: Pick<SiteConfig, 'build'>,
  name: string | undefined,
): { outDir: string; drafts: boolean } {
  const { profiles = [], defaultProfile, outDir = 'dist' } = build ?? {};
  const wanted = name ?? defaultProfile;
  const found = profiles.find((profile) => profile.name === wanted);
  if (wanted !== undefined && !found) {
    const names = profiles.map((profile) => profile.name).join(', ') || 'none';
    throw new Error(`there is no build profile "${wanted}"; there are: ${names}`);
  }
  return { outDir: found?.outDir ?? outDir, drafts: found?.drafts ?? false };
}
