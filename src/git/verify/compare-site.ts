// Compares a site's index with the files of a commit, in slices and while others write: a document or media file that
// changes during the check is left out, because it no longer has to agree with that commit.

import { parsePath, pathOf } from '../../content/files/paths.ts';
import { shownFrom } from '../../content/from-git/claims.ts';
import type { ContentView } from '../../content/rows/view.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { MediaService } from '../../media/service.ts';
import { isMediaPath, parseMediaPath, pointerPath } from '../../media/stored.ts';
import { bodyHash, type FileFact } from './read-facts.ts';

export interface ComparedSite {
  view: ContentView;
  media: Pick<MediaService, 'files' | 'findBySlug' | 'subscribe'>;
  warnings: ReadonlyMap<string, string>;
}

/** Records changes from now on, until it is disposed of. */
export interface ChangeWatch extends Disposable {
  hasChanged(path: string): boolean;
  /** Whether there was or is a warning about the file: such files are not in the index. */
  isWarned(path: string): boolean;
}

type Batches = AsyncIterable<FileFact[]> | Iterable<FileFact[]>;

const PROGRESS_FILES = 1000;

/** Must begin before the commit is chosen. */
export function watchChanges({ view, media, warnings }: ComparedSite): ChangeWatch {
  const changed = new Set<string>();
  const warned = new Set(warnings.keys());
  const ends = [
    view.subscribe((before, after) => {
      for (const row of [before, after]) if (row) changed.add(keyOf(row));
    }),
    media.subscribe((before, after) => {
      for (const file of [before, after]) if (file) changed.add(pointerPath(file.slug));
    }),
  ];
  return {
    hasChanged(path) {
      const place = parsePath(path);
      return changed.has(place ? keyOf(place) : path);
    },
    isWarned: (path) => warned.has(path) || warnings.has(path),
    [Symbol.dispose]() {
      for (const end of ends) end();
    },
  };
}

/** The same key for a document in every layout. */
function keyOf({ collection, slug }: { collection: string; slug: string }): string {
  return `${collection}/${slug}`;
}

export async function compareSite(
  site: ComparedSite,
  watch: ChangeWatch,
  batches: Batches,
  onProgress: (text: string) => void,
): Promise<string[]> {
  const { view, media } = site;
  const breathe = createBreathe();
  const problems: string[] = [];
  /** Ids of documents, paths of media. */
  const seen = new Set<string>();
  let done = 0;
  for await (const batch of batches) {
    for (const fact of batch) {
      await breathe();
      if (done++ % PROGRESS_FILES === 0) onProgress(`index: ${done - 1} of ${view.size}`);
      seen.add(shownFrom(view, fact.path)?.id ?? fact.path);
      if (!watch.hasChanged(fact.path)) problems.push(...compareFile(site, watch, fact));
    }
  }
  for (const { rows } of view.collections()) {
    // Ids are available without loading the saved rows.
    for (const id of rows.ids()) {
      await breathe();
      const row = seen.has(id) ? undefined : view.byId(id);
      if (row && !watch.hasChanged(pathOf(row, row.layout)))
        problems.push(`${keyOf(row)}: is in the index, but has no file`);
    }
  }
  for (const { path } of media.files()) {
    await breathe();
    if (!seen.has(path) && !watch.hasChanged(path)) problems.push(`${path}: is in the media index, but has no file`);
  }
  return problems;
}

function compareFile({ view, media }: ComparedSite, watch: ChangeWatch, { path, oid, ...fact }: FileFact): string[] {
  if (isMediaPath(path)) {
    const shown = media.findBySlug(parseMediaPath(path).slug);
    const isShown = shown?.sha256 === fact.pointer?.sha256 || watch.isWarned(path);
    return isShown ? [] : [`${path}: is not in the media index`];
  }
  const { collection } = parsePath(path)!;
  // A collection that is not configured has one warning, for its folder.
  if (!view.collection(collection)) return [];
  const row = shownFrom(view, path);
  if (!row) return watch.isWarned(path) ? [] : [`${path}: is not in the index`];
  const problems: string[] = [];
  if (row.etag !== oid) problems.push(`${path}: the index has blob ${row.etag}, the commit ${oid}`);
  if (bodyHash(row.body) !== fact.bodyHash) problems.push(`${path}: the index has other content`);
  return problems;
}
