// The view of a site's media: a function of the commit. Reads are synchronous and touch no disk.
import type { LfsPointer } from '../lib/lfs-pointer.ts';
import { foldName } from '../lib/text/stream-safe.ts';
import type { MediaFile, MediaMeta } from './media.ts';
import { parseMediaPath, type StoredMedia, splitSlug, toMediaFile } from './stored.ts';

export type MediaListener = (before: MediaFile | undefined, after: MediaFile | undefined) => void;

export interface MediaView {
  readonly size: number;
  find(slug: string): MediaFile | undefined;
  values(): Iterable<MediaFile>;
  /** By creation, the newest first; files without a date come last, by slug. Valid until the next change. */
  newestFirst(): readonly MediaFile[];
  /** A file with these bytes in the folder. */
  findSame(folder: string, sha256: string): MediaFile | undefined;
  /** Whether a file or a folder has the slug, ignoring case and the encoding of accents. */
  isNameTaken(slug: string): boolean;
  /** A folder that differs from this one, or from one above it, in case or the encoding of accents only. */
  findFolderTwin(folder: string): string | undefined;
  /** Numbers of files in each folder that has any, or has one below it; by name. */
  folders(): { folder: string; files: number; filesBelow: number }[];
  /** Whether any file has these bytes. */
  hasBytes(sha256: string): boolean;
  /** Grows with every change. */
  readonly version: number;
  /** Applies one file of the repository; `stored` is undefined if the file is gone or is not a media file. */
  show(path: string, stored: StoredMedia | undefined): void;
  subscribe(listener: MediaListener): () => void;
  /** Fills an empty view without notifying listeners. */
  adopt(saved: SavedMedia): void;
  save(): SavedMedia;
}

/** A view's saved form. */
export interface SavedMedia {
  pointers: [slug: string, sha256: string, sizeBytes: number][];
  metas: [slug: string, meta: MediaMeta][];
}

export function createMediaView(): MediaView {
  const pointers = new Map<string, LfsPointer>();
  const metas = new Map<string, MediaMeta>();
  const files = new Map<string, MediaFile>();
  const bySame = new Map<string, Set<MediaFile>>();
  const byBytes = new Map<string, number>();
  /** Numbers of files: by folded slug, and by folder, in it and below it. */
  const names = new Map<string, number>();
  const folders = new Map<string, number>();
  const ownFiles = new Map<string, number>();
  const foldedFolders = new Map<string, Set<string>>();
  const listeners = new Set<MediaListener>();
  let sorted: MediaFile[] | undefined;
  let version = 0;

  function refresh(slug: string): void {
    const pointer = pointers.get(slug);
    const before = files.get(slug);
    const after = pointer && toMediaFile(slug, pointer, metas.get(slug));
    if (!before && !after) return;
    version++;
    if (before) removeFrom(before);
    if (after) addTo(after);
    for (const listener of listeners) listener(before, after);
  }

  function addTo(file: MediaFile): void {
    const { slug, folder, sha256 } = file;
    files.set(slug, file);
    getOrSet(bySame, sameKey(folder, sha256), () => new Set()).add(file);
    count(byBytes, sha256, 1);
    count(names, foldName(slug), 1);
    count(ownFiles, folder, 1);
    for (const above of foldersOf(folder)) {
      count(folders, above, 1);
      getOrSet(foldedFolders, foldName(above), () => new Set()).add(above);
    }
    if (sorted) sorted.splice(placeIn(sorted, file), 0, file);
  }

  function removeFrom(file: MediaFile): void {
    const { slug, folder, sha256 } = file;
    files.delete(slug);
    const same = bySame.get(sameKey(folder, sha256));
    same?.delete(file);
    if (same?.size === 0) bySame.delete(sameKey(folder, sha256));
    count(byBytes, sha256, -1);
    count(names, foldName(slug), -1);
    count(ownFiles, folder, -1);
    for (const above of foldersOf(folder)) {
      count(folders, above, -1);
      if (folders.has(above)) continue;
      const twins = foldedFolders.get(foldName(above));
      twins?.delete(above);
      if (twins?.size === 0) foldedFolders.delete(foldName(above));
    }
    if (sorted) sorted.splice(placeIn(sorted, file), 1);
  }

  return {
    get size() {
      return files.size;
    },
    get version() {
      return version;
    },
    find: (slug) => files.get(slug),
    values: () => files.values(),
    newestFirst: () => (sorted ??= [...files.values()].sort(compare)),
    findSame: (folder, sha256) => bySame.get(sameKey(folder, sha256))?.values().next().value,
    isNameTaken: (slug) => names.has(foldName(slug)) || foldedFolders.has(foldName(slug)),
    findFolderTwin(folder) {
      for (const above of foldersOf(folder)) {
        for (const other of foldedFolders.get(foldName(above)) ?? []) if (other !== above) return other;
      }
      return undefined;
    },
    folders() {
      const all = [...(ownFiles.has('') ? [''] : []), ...folders.keys()].sort();
      return all.map((folder) => {
        const own = ownFiles.get(folder) ?? 0;
        return { folder, files: own, filesBelow: (folders.get(folder) ?? own) - own };
      });
    },
    hasBytes: (sha256) => byBytes.has(sha256),
    show(path, stored) {
      const { kind, slug } = parseMediaPath(path);
      if (stored?.kind === 'pointer') pointers.set(slug, stored.pointer);
      else if (stored) metas.set(slug, stored.meta);
      else if (!(kind === 'pointer' ? pointers : metas).delete(slug)) return;
      refresh(slug);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    adopt(saved) {
      for (const [slug, sha256, sizeBytes] of saved.pointers) pointers.set(slug, { sha256, sizeBytes });
      for (const [slug, meta] of saved.metas) metas.set(slug, meta);
      for (const [slug, pointer] of pointers) addTo(toMediaFile(slug, pointer, metas.get(slug)));
    },
    save: () => ({
      pointers: [...pointers].map(([slug, { sha256, sizeBytes }]) => [slug, sha256, sizeBytes]),
      metas: [...metas],
    }),
  };
}

function compare(a: MediaFile, b: MediaFile): number {
  const [first, second] = [a.createdAt ?? '', b.createdAt ?? ''];
  if (first !== second) return first < second ? 1 : -1;
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}

function placeIn(sorted: readonly MediaFile[], file: MediaFile): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle]!, file) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sameKey(folder: string, sha256: string): string {
  return `${sha256} ${folder}`;
}

/** The folder and those above it. */
function* foldersOf(folder: string): Generator<string> {
  for (let above = folder; above !== ''; above = splitSlug(above).folder) yield above;
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

function getOrSet<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
