// Where builds of a site keep what they know, and where its theme is.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { SiteConfig } from '../../config/site-config.ts';
import type { SiteBuildOrder } from './site-build.ts';

/** `siteFolder` is the site's part of the data folder. */
export function toBuildPlaces(
  siteFolder: string,
  outDir: string,
): Pick<SiteBuildOrder, 'repository' | 'mediaFolder' | 'stateFolder' | 'variantsFolder'> {
  // Each output folder has a state of its own.
  const name = hash('sha256', outDir).slice(0, 16);
  return {
    repository: path.join(siteFolder, 'content.git'),
    mediaFolder: path.join(siteFolder, 'media'),
    stateFolder: path.join(siteFolder, 'build', name),
    variantsFolder: path.join(siteFolder, 'build', 'variants'),
  };
}

/** `build.theme`, else `theme/` beside the configuration if there is one. @throws if `build.theme` does not exist */
export function findThemeFolder({ build }: Pick<SiteConfig, 'build'>, configPath: string): string | undefined {
  const beside = path.dirname(configPath);
  if (build?.theme !== undefined) {
    const folder = path.resolve(beside, build.theme);
    if (!isFolder(folder)) throw new Error(`build.theme: there is no folder "${folder}"`);
    return folder;
  }
  const folder = path.join(beside, 'theme');
  return isFolder(folder) ? folder : undefined;
}

function isFolder(folder: string): boolean {
  return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
