// The previews of a served site in its own theme.
import { createPreviewThread, type PreviewThread } from '../build/site/preview/preview-thread.ts';
import { findThemeFolder, toBuildPlaces } from '../build/site/site-place.ts';
import { BuildSchema } from '../config/build-config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { SiteBuildsParts } from './site-builds.ts';

export function openSitePreviews({
  site,
  folder,
  configPath,
}: Pick<SiteBuildsParts, 'site' | 'folder' | 'configPath'>): PreviewThread {
  const { repository, mediaFolder } = toBuildPlaces(folder, '');
  // A search needs an index of the whole site.
  const config = { ...site.config, build: BuildSchema.parse({ ...site.config.build, search: false }) };

  function themeFolder(): string | undefined {
    try {
      return findThemeFolder(site.config, configPath);
    } catch (error) {
      throw new ServiceError('unavailable', (error as Error).message, { cause: error });
    }
  }

  return createPreviewThread(() => ({
    ...{ siteId: site.id, config, repository, mediaFolder },
    themeFolder: themeFolder(),
  }));
}
