// Media as the last accepted write leaves them: the view, and on top of it what is not durable yet. Decisions see this;
// readers see the view.

import { foldName } from '../lib/stream-safe.ts';
import type { MediaFile } from './media.ts';
import type { MediaView } from './view.ts';

/** One accepted change. Each of these is called at most once, `replace` before one of the others. */
export interface PendingMedia {
  /** The view shows it. */
  settle(): void;
  /** It was refused after all; newer changes of the same file are undone first. */
  undo(): void;
  /** A replay on somebody else's commits made this of it. */
  replace(slug: string, after: MediaFile | undefined): void;
  /** The same, where nothing is left of it. */
  drop(): void;
}

export interface PendingMediaState {
  find(slug: string): MediaFile | undefined;
  findSame(folder: string, sha256: string): MediaFile | undefined;
  isNameTaken(slug: string): boolean;
  hasBytes(sha256: string): boolean;
  push(slug: string, after: MediaFile | undefined): PendingMedia;
}

interface Entry {
  after: MediaFile | undefined;
  before: Entry | undefined;
  isSettled: boolean;
}

export function createPendingMedia(view: MediaView): PendingMediaState {
  const waiting = new Map<string, Entry>();

  function take(slug: string, entry: Entry): void {
    if (waiting.get(slug) === entry) waiting.delete(slug);
  }

  function* written(): Generator<MediaFile> {
    for (const { after } of waiting.values()) if (after) yield after;
  }

  return {
    find(slug) {
      const entry = waiting.get(slug);
      return entry ? entry.after : view.find(slug);
    },
    findSame(folder, sha256) {
      for (const file of written()) if (file.folder === folder && file.sha256 === sha256) return file;
      const shown = view.findSame(folder, sha256);
      return shown && waiting.has(shown.slug) ? undefined : shown;
    },
    isNameTaken(slug) {
      const folded = foldName(slug);
      for (const file of written()) {
        if (foldName(file.slug) === folded || foldName(`${file.folder}/`).startsWith(`${folded}/`)) return true;
      }
      // What is about to go keeps its name until it is gone.
      return view.isNameTaken(slug);
    },
    hasBytes(sha256) {
      for (const file of written()) if (file.sha256 === sha256) return true;
      return view.hasBytes(sha256);
    },
    push(slug, after) {
      let at = slug;
      let entry: Entry = { after, before: waiting.get(slug), isSettled: false };
      waiting.set(slug, entry);
      return {
        settle() {
          entry.isSettled = true;
          take(at, entry);
        },
        undo() {
          if (waiting.get(at) !== entry) return;
          if (entry.before && !entry.before.isSettled) waiting.set(at, entry.before);
          else waiting.delete(at);
        },
        replace(slugNow, afterNow) {
          take(at, entry);
          at = slugNow;
          entry = { after: afterNow, before: waiting.get(at), isSettled: false };
          waiting.set(at, entry);
        },
        drop: () => take(at, entry),
      };
    },
  };
}
