// The text index over a site's documents and media files: loaded as it was saved, less what has changed since, or built
// anew.
import type { SiteConfig } from '../config/site-config.ts';
import { createSearchedNames } from '../content/checks/query-names.ts';
import { createFindMatchingIds } from '../content/lists/matching-ids.ts';
import { createDocumentSource, createEntryReader } from '../content/search-entry.ts';
import { createMediaSource } from '../media/search-entry.ts';
import type { SiteSchema } from '../schema/collection.ts';
import { createHomeHere } from '../search/index-home.ts';
import { createIndexThread, type IndexThread } from '../search/index-thread.ts';
import { createLazyIndex, type LazyIndex } from '../search/lazy-index.ts';
import { createSearch, type SearchService } from '../search/service.ts';
import { joinSources } from '../search/sources.ts';
import type { SiteViews } from './open-views.ts';

export interface TextIndexParts {
  views: Pick<SiteViews, 'view' | 'mediaView' | 'saved' | 'changes'>;
  schema: SiteSchema;
  config: SiteConfig;
  /** Folder of the saved views, and the version they must have. */
  folder: string;
  version: string;
  /** The thread that the process shares; the index starts its own if absent. */
  indexThread?: IndexThread | undefined;
  warn(message: string, error?: unknown): void;
}

export function openTextIndex(parts: TextIndexParts): { index: LazyIndex; search: SearchService } {
  const { views, config, folder, version, indexThread = createIndexThread(), warn } = parts;
  const { view, mediaView, saved, changes } = views;
  const sources = joinSources([createMediaSource(mediaView), createDocumentSource(view, parts.schema)]);
  const unindexed = saved?.read('unindexed');
  const index = createLazyIndex({
    ...sources,
    openHere: (isSaved) => createHomeHere(createEntryReader(config), isSaved ? saved?.read('search') : undefined),
    openElsewhere: (isSaved, onEnd) =>
      indexThread.open({
        schema: config,
        // Loaded in the thread that uses it, because it is as large as the documents.
        saved: isSaved && saved ? { folder, version, commit: saved.commit } : undefined,
        onEnd,
      }),
    changedSince: unindexed && [...(JSON.parse(unindexed.toString('utf8')) as string[]), ...changes.keys],
    warn,
  });
  changes.onChange(index.touch);
  const search = createSearch({
    ...{ index, describe: sources.describe, findMatchingIds: createFindMatchingIds(view) },
    names: createSearchedNames(view),
  });
  return { index, search };
}
