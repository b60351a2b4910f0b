// Opens the builds of a served site: by its command, or by the static builder in a thread.
import path from 'node:path';
import { BuildError } from '../build/build.ts';
import { type OpenedBuilds, openBuilds, type StaticBuildRequest } from '../build/service.ts';
import { PlanError } from '../build/site/plan/plan-error.ts';
import { findThemeFolder, toBuildPlaces } from '../build/site/site-place.ts';
import type { Env } from '../config/env.ts';
import type { Warn } from '../lib/warn.ts';
import { COMMITTER } from '../store/store.ts';
import type { Site } from './site.ts';

export interface SiteBuildsParts {
  site: Site;
  /** `<data>/sites/<id>`. */
  folder: string;
  /** Folder of the site's configuration: its theme is there. */
  configFolder: string;
  env: Pick<Env, 'publicUrl' | 'adminUrl'>;
  variables: Readonly<Record<string, string | undefined>>;
  warn: Warn;
}

export function openSiteBuilds(parts: SiteBuildsParts): Promise<OpenedBuilds> {
  const { site, folder, env, variables, warn } = parts;
  const urls = { url: env.publicUrl ?? '', adminUrl: env.adminUrl ?? (env.publicUrl ? `${env.publicUrl}/admin` : '') };
  return openBuilds({
    ...{ siteId: site.id, folder, variables, warn },
    ...{ config: site.config, store: site.store, view: site.view, warnings: site.warnings },
    urls: () => urls,
    buildStatic: (request) => buildStatic(parts, request),
  });
}

/** The thread and what it needs are loaded with the first build. */
async function buildStatic(parts: SiteBuildsParts, request: StaticBuildRequest) {
  const { site, folder, configFolder, env } = parts;
  const { profile, commit, isPreview, isFull, log, signal } = request;
  const { buildApart } = await import('../build/site/builder-thread.ts');
  // Each has a state of its own: the pages of a preview are other pages.
  const outDir = path.join(request.folder, isPreview ? 'preview' : 'site');
  try {
    return await buildApart(
      {
        ...{ siteId: site.id, config: site.config, committer: COMMITTER, ...toBuildPlaces(folder, outDir) },
        themeFolder: findThemeFolder(site.config, path.join(configFolder, 'cms.config.ts')),
        ...{ outDir, commit, drafts: profile.drafts, isPreview, isFull, writesRedirects: false },
        adminUrl: env.adminUrl ?? env.publicUrl,
      },
      { log, signal },
    );
  } catch (error) {
    if (signal.aborted) throw new BuildError('the build was cancelled');
    if (!(error instanceof PlanError)) throw error;
    for (const problem of error.problems) log(`${problem}\n`);
    const [first = 'the site cannot be built', ...others] = error.problems;
    throw new BuildError(others.length === 0 ? first : `${first}, and ${others.length} more; see the log`);
  }
}
