// Puts a site's media together, on a view that is at the newest commit.
import type { ContentService } from '../content/api.ts';
import type { Decisions } from '../lib/queues/decisions.ts';
import type { Log } from '../store/log/log.ts';
import { openBytes } from './bytes/open-bytes.ts';
import { inspectMedia } from './kinds/detect.ts';
import { mediaUrl } from './names.ts';
import { createPendingMedia } from './pending.ts';
import { createMedia, type MediaService } from './service.ts';
import type { MediaView } from './view.ts';

export interface OpenMediaParts {
  view: MediaView;
  /** `<data>/sites/<id>/media`. */
  folder: string;
  /** Problems of files, by path. */
  warnings: Pick<Map<string, string>, 'delete'>;
  log: Pick<Log, 'append' | 'has' | 'find'>;
  /** Those of the documents: a move decides on both. */
  decisions: Decisions;
  content: Pick<ContentService, 'prepareReferences' | 'followMedia'>;
  /** The site's id, which addresses of files may name. */
  site: string;
  now(): Date;
}

/** Removes what uploads left behind at a crash. */
export async function openMedia(parts: OpenMediaParts): Promise<MediaService> {
  const { view, warnings, folder, log, decisions, content, site, now } = parts;
  const pending = createPendingMedia(view, decisions);
  const bytes = await openBytes({ folder, isNeeded: pending.hasBytes, nowMs: () => now().getTime() });
  return createMedia({
    view,
    pending,
    decide: decisions.decide,
    bytes,
    content,
    addressesOf: (slug) => [mediaUrl(slug, undefined), mediaUrl(slug, site)],
    inspect: inspectMedia,
    append: log.append,
    onWritten: (path) => void warnings.delete(path),
    hasFile: log.has,
    hasAny: (path) => log.find(path) !== undefined,
    now,
  });
}
