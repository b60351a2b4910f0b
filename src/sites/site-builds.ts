// The builds of a served site: its theme's in a process of their own, a command's in processes of theirs.
import path from 'node:path';
import type { SiteRef } from '../access/principal.ts';
import { BuildError, type BuiltSite, type Redirect } from '../build/build.ts';
import { type BuildsParts, type OpenedBuilds, openBuilds, type StaticBuildRequest } from '../build/service.ts';
import { PlanError } from '../build/site/plan/plan-error.ts';
import { findThemeFolder, toBuildPlaces } from '../build/site/site-place.ts';
import type { Env } from '../config/env.ts';
import type { Warn } from '../lib/warn.ts';
import { COMMITTER } from '../store/committer.ts';
import { findBuildOutsider } from './build-sandbox.ts';
import type { Site } from './site.ts';

export interface SiteBuildsParts extends Pick<BuildsParts, 'variables' | 'sandbox'> {
  site: Site;
  /** `<data>/sites/<id>`. */
  folder: string;
  configPath: string;
  env: Env;
  /** Why not only admins of all sites have a word in a site; undefined if only they have. */
  findOutsider(site: SiteRef): string | undefined;
  warn: Warn;
}

export function openSiteBuilds({
  site,
  folder,
  configPath,
  env,
  variables,
  sandbox,
  findOutsider,
  warn,
}: SiteBuildsParts): Promise<OpenedBuilds> {
  const adminUrl = env.adminUrl ?? env.publicUrl;

  async function buildStatic(request: StaticBuildRequest): Promise<BuiltSite> {
    const { profile, commit, isPreview, isFull, log, signal } = request;
    // A preview asks crawlers to stay away: it never takes the place of the site.
    const outDir = path.join(request.folder, isPreview ? 'preview' : 'site');
    // Loaded with the first build.
    const { buildApart } = await import('../build/site/builder-process.ts');
    const order = {
      ...toBuildPlaces(folder, outDir),
      ...{ siteId: site.id, config: site.config, committer: COMMITTER, outDir, commit, isPreview, isFull, adminUrl },
      themeFolder: findThemeFolder(site.config, configPath),
      drafts: profile.drafts,
      // Each host has its own form.
      writesRedirects: false,
    };
    try {
      return await buildApart(order, { log, signal });
    } catch (error) {
      if (signal.aborted) throw new BuildError('the build was cancelled');
      if (!(error instanceof PlanError)) throw error;
      for (const problem of error.problems) log(`${problem}\n`);
      throw new BuildError(inOneSentence(error.problems));
    }
  }

  async function findRedirects({
    commit,
    folder: own,
    log,
    signal,
  }: Parameters<BuildsParts['findRedirects']>[0]): Promise<Redirect[]> {
    if (site.config.build?.redirects === false) return [];
    const { findRedirectsApart } = await import('../build/site/builder-process.ts');
    const { repository, stateFolder } = toBuildPlaces(folder, own);
    try {
      const order = { repository, stateFolder, config: site.config, committer: COMMITTER, commit };
      return await findRedirectsApart(order, { log, signal });
    } catch (error) {
      if (signal.aborted) throw new BuildError('the build was cancelled');
      if (!(error instanceof PlanError)) throw error;
      // The command makes the pages, and may well give each of them an address.
      log(`no redirects from old addresses: ${inOneSentence(error.problems)}\n`);
      return [];
    }
  }

  return openBuilds({
    siteId: site.id,
    ...{ folder, variables, sandbox, warn, buildStatic, findRedirects },
    findOutsider: () => findBuildOutsider(site.config, () => findOutsider(site)),
    ...{ config: site.config, store: site.store, view: site.view, warnings: site.warnings },
    urls: () => ({ url: env.publicUrl ?? '', adminUrl: adminUrl ?? '' }),
  });
}

function inOneSentence([first = 'the site cannot be built', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}, and ${others.length} more; see the log`;
}
