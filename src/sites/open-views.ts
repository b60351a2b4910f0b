// A site's views of its documents and media files: loaded as they were saved, or read from the repository, and brought
// to the newest commit. Must not wait: the log notifies views of commits, so they have to exist first.
import type { SiteConfig } from '../config/site-config.ts';
import { loadInBulk } from '../content/from-git/bulk-load.ts';
import { createReadShares } from '../content/from-git/bulk-threads.ts';
import { type Claims, createClaims } from '../content/from-git/claims.ts';
import { createExternalTimes, type ExternalTimes } from '../content/from-git/external-times.ts';
import type { FileReading } from '../content/from-git/file-now.ts';
import { applyFiles, applyTreeChanges, type LoadParts } from '../content/from-git/load.ts';
import { createOriginLookup } from '../content/from-git/origins.ts';
import { createPreparation } from '../content/from-git/preparation.ts';
import { readRow } from '../content/from-git/read-changes.ts';
import type { Warnings } from '../content/from-git/warnings.ts';
import { createDueTimes, type DueTimes } from '../content/rows/due-times.ts';
import type { Row } from '../content/rows/row.ts';
import type { SavedPlace } from '../content/rows/saved-rows.ts';
import { adoptRows } from '../content/rows/saved-view.ts';
import { type ContentView, createContentView } from '../content/rows/view.ts';
import { toSearchKey } from '../media/search-entry.ts';
import { createMediaView, type MediaView } from '../media/view.ts';
import type { SiteSchema } from '../schema/collection.ts';
import { type OpenSavedFile, openSavedFile } from '../store/disk/saved-file.ts';
import type { Oid } from '../store/git/objects.ts';
import type { External } from '../store/log/external.ts';
import type { Store } from '../store/store.ts';

export interface ViewsParts {
  store: Store;
  schema: SiteSchema;
  config: SiteConfig;
  /** Folder of the saved views, and the version they must have. */
  folder: string;
  version: string;
  info?: ((message: string) => void) | undefined;
  warn(message: string, error?: unknown): void;
}

export interface SiteViews {
  view: ContentView;
  mediaView: MediaView;
  due: DueTimes;
  warnings: Warnings;
  claims: Claims;
  /** When external commits changed documents. */
  times: ExternalTimes;
  /** What applying a file of the repository to the views needs. */
  load: LoadParts & { madeReady: WeakMap<Buffer, FileReading> };
  /** Undefined if the views were read from the repository. Its rows are loaded when they are needed. */
  saved: OpenSavedFile | undefined;
  changes: ChangesSinceSaved;
  /** Applies external commits; returns how many files they changed. */
  onExternal(change: External): number;
  /** Prepares for some milliseconds what `onExternal` will need; returns true when it is ready. */
  prepareExternal(from: Oid | null, to: Oid): boolean;
}

/** Entries that have changed since the views were saved. */
export interface ChangesSinceSaved {
  count: number;
  /** Keys of the entries that changed before `onChange` was called. */
  keys: ReadonlySet<string>;
  /** Calls `touch` with the key of each entry that changes from now on, and empties `keys`. */
  onChange(touch: (key: string) => void): void;
}

export function openViews({ store, schema, config, folder, version, info, warn }: ViewsParts): SiteViews {
  const { odb, log } = store;
  const head = store.openedAt ?? '';
  const warnings: Warnings = new Map();
  const claims = createClaims();
  const view = createContentView(schema, head);
  const mediaView = createMediaView();
  const due = createDueTimes(view);
  const times = createExternalTimes();
  const restore = (saved: SavedPlace): Row =>
    readRow({ odb, schema, times }, log.status().gitHead ?? store.openedAt, saved);
  const saved = openSavedViews();
  const changes = createChanges(view, mediaView);
  const madeReady = new WeakMap<Buffer, FileReading>();
  const { findWaiting } = log;
  const origins = createOriginLookup(odb);
  const originOf = (path: string) => origins.at(log.status().gitHead ?? head, path);
  const load = {
    view,
    odb,
    warnings,
    claims,
    times,
    findWaiting,
    madeReady,
    originOf,
    warn,
    showMedia: mediaView.show,
  };
  const preparation = createPreparation(load);
  const versionAt = (commit: Oid) => ({ commit, tree: store.treeOf(commit) });
  const startedMs = performance.now();
  const count = bringToHead();
  if (count > 0) {
    const ms = Math.round(performance.now() - startedMs);
    const what = saved ? 'changed since the index was saved' : 'into a new index';
    info?.(`read ${count} ${count === 1 ? 'file' : 'files'} ${what} in ${ms} ms`);
  }
  for (const { files } of store.recovered) applyFiles(load, files, log.status().head ?? '');

  /** Loads its rows; stays open until they have been read. */
  function openSavedViews(): OpenSavedFile | undefined {
    const found = openSavedFile(folder, version);
    if (!found) return undefined;
    const savedWarnings = store.openedAt && odb.has(found.commit) ? found.read('warnings') : undefined;
    const savedMedia = savedWarnings && found.read('media');
    if (!savedWarnings || !savedMedia || !adoptRows(found, view, restore)) {
      found.close();
      return undefined;
    }
    const savedState = JSON.parse(savedWarnings.toString('utf8'));
    for (const [file, problem] of savedState.warnings) warnings.set(file, problem);
    claims.adopt(savedState.claims);
    times.add(new Map(savedState.times));
    mediaView.adopt(JSON.parse(savedMedia.toString('utf8')));
    return found;
  }

  /** Returns how many files were read. */
  function bringToHead(): number {
    const opened = store.openedAt ? versionAt(store.openedAt) : null;
    if (saved) return applyTreeChanges(load, versionAt(saved.commit), opened, head);
    const bulk = { ...load, readShares: createReadShares(store.repository, config), restore };
    const read = opened ? loadInBulk(bulk, opened.tree, head) : undefined;
    if (read === undefined) return applyTreeChanges(load, null, opened, head);
    changes.count = read;
    return read;
  }

  return {
    ...{ view, mediaView, due, warnings, claims, times, load, saved, changes },
    onExternal({ from, to, ours, replanted }) {
      const [before, after] = [from === null ? null : versionAt(from), versionAt(to)];
      return applyTreeChanges(load, before, after, log.status().head ?? '', {
        ours: { paths: ours, onTop: replanted.map(({ entry, blobs }) => ({ files: entry.files, blobs })) },
        prepared: preparation.handOver(before, after),
      });
    },
    prepareExternal: (from, to) => preparation.step(from === null ? null : versionAt(from), versionAt(to)),
  };
}

function createChanges(view: ContentView, mediaView: MediaView): ChangesSinceSaved {
  const keys = new Set<string>();
  let note: (key: string) => void = (key) => void keys.add(key);
  const changes: ChangesSinceSaved = {
    count: 0,
    keys,
    onChange(touch) {
      note = touch;
      keys.clear();
    },
  };
  function add(key: string): void {
    changes.count++;
    note(key);
  }
  view.subscribe((before, after) => add((after ?? before)!.id));
  mediaView.subscribe((before, after) => add(toSearchKey((after ?? before)!)));
  return changes;
}
