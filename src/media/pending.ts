// Media as the last accepted write left them: the view, and on top of it the changes that are not durable yet.
// Decisions read this, and note which changes they saw (lib/queues/decisions.ts); readers read the view.
import type { Decisions, Unsettled } from '../lib/queues/decisions.ts';
import { foldName } from '../lib/text/stream-safe.ts';
import type { MediaFile } from './media.ts';
import type { MediaView } from './view.ts';

/** One accepted change. Each method is called at most once, `replace` before any other. */
export interface PendingMedia {
  /** The view shows it. */
  settle(): void;
  /** The change was refused after all; newer changes of the same file are undone first. */
  undo(): void;
  /** A replay on external commits turned the change into this. */
  replace(slug: string, after: MediaFile | undefined): void;
  /** A replay on external commits left nothing of the change. */
  drop(): void;
}

export interface PendingMediaState {
  find(slug: string): MediaFile | undefined;
  findSame(folder: string, sha256: string): MediaFile | undefined;
  isNameTaken(slug: string): boolean;
  hasBytes(sha256: string): boolean;
  push(slug: string, after: MediaFile | undefined): PendingMedia;
}

interface PendingFile {
  after: MediaFile | undefined;
  before: PendingFile | undefined;
  isSettled: boolean;
  change: Unsettled;
}

export function createPendingMedia(view: MediaView, { begin }: Pick<Decisions, 'begin'>): PendingMediaState {
  const waiting = new Map<string, PendingFile>();

  function forget(slug: string, entry: PendingFile): void {
    if (waiting.get(slug) === entry) waiting.delete(slug);
  }

  /** The first pending file that matches. */
  function seeWritten(matches: (file: MediaFile) => boolean): MediaFile | undefined {
    for (const { after, change } of waiting.values()) {
      if (!after || !matches(after)) continue;
      change.see();
      return after;
    }
    return undefined;
  }

  function see(slug: string): PendingFile | undefined {
    const entry = waiting.get(slug);
    entry?.change.see();
    return entry;
  }

  return {
    find(slug) {
      const entry = see(slug);
      return entry ? entry.after : view.find(slug);
    },
    findSame(folder, sha256) {
      const found = seeWritten((file) => file.folder === folder && file.sha256 === sha256);
      if (found) return found;
      const shown = view.findSame(folder, sha256);
      return shown && see(shown.slug) ? undefined : shown;
    },
    isNameTaken(slug) {
      const folded = foldName(slug);
      const usesName = (file: MediaFile): boolean =>
        foldName(file.slug) === folded || foldName(`${file.folder}/`).startsWith(`${folded}/`);
      if (seeWritten(usesName)) return true;
      // A file whose deletion is pending keeps its name until it is gone.
      return view.isNameTaken(slug);
    },
    hasBytes(sha256) {
      return seeWritten((file) => file.sha256 === sha256) !== undefined || view.hasBytes(sha256);
    },
    push(slug, after) {
      let at = slug;
      const change = begin();
      let entry: PendingFile = { after, before: waiting.get(slug), isSettled: false, change };
      waiting.set(slug, entry);
      return {
        settle() {
          entry.isSettled = true;
          forget(at, entry);
          change.settle();
        },
        undo() {
          if (waiting.get(at) === entry) {
            if (entry.before && !entry.before.isSettled) waiting.set(at, entry.before);
            else waiting.delete(at);
          }
          change.fail();
        },
        replace(slugNow, afterNow) {
          forget(at, entry);
          at = slugNow;
          entry = { after: afterNow, before: waiting.get(at), isSettled: false, change };
          waiting.set(at, entry);
          change.change();
        },
        drop() {
          forget(at, entry);
          change.fail();
        },
      };
    },
  };
}
