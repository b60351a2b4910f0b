// Puts a site's media together, on a view that is at the newest commit.
import { createDecisions } from '../lib/queues/decisions.ts';
import type { Log } from '../store/log/log.ts';
import { openBytes } from './bytes/open-bytes.ts';
import { inspectMedia } from './kinds/detect.ts';
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
  now(): Date;
}

/** Removes what uploads left behind at a crash. */
export async function openMedia({ view, warnings, folder, log, now }: OpenMediaParts): Promise<MediaService> {
  const { begin, decide } = createDecisions();
  const pending = createPendingMedia(view, { begin });
  const bytes = await openBytes({ folder, isNeeded: pending.hasBytes });
  return createMedia({
    view,
    pending,
    decide,
    bytes,
    inspect: inspectMedia,
    append: log.append,
    onWritten: (path) => void warnings.delete(path),
    hasFile: log.has,
    hasAny: (path) => log.find(path) !== undefined,
    now,
  });
}
