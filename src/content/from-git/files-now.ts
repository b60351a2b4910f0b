// The files of one change, found by path and by id. Everything that depends on the files alone is worked out while they
// are collected, in slices; they are compared with the view later, at once.

import { layoutOf, parsePath } from '../files/paths.ts';
import { type Key, slugKey } from './claims.ts';
import type { FileNow, FileReading } from './file-now.ts';

export interface FilesNow {
  /** Each path once. */
  readonly list: readonly FileNow[];
  readonly byPath: ReadonlyMap<string, FileNow>;
  /** The files that are documents with this id; the array changes with the files. */
  withId(id: string): readonly FileNow[];
  /** Slugs that several of the files have, or had before some files were dropped. */
  readonly repeatedSlugs: ReadonlySet<Key>;
  readonly repeatedIds: ReadonlySet<string>;
  /** Number of files by collection. */
  readonly counts: ReadonlyMap<string, number>;
  /** Replaces the file with the same path, if there is one. */
  add(file: FileNow): void;
  drop(paths: ReadonlySet<string>): void;
}

const NONE: readonly FileNow[] = [];
const GONE: FileReading = { row: undefined, problem: undefined };

/** Without `file`, the file at the path is gone. */
export function toFileNow(path: string, file?: FileReading): FileNow {
  const { row, problem } = file ?? GONE;
  const place = row ?? parsePath(path);
  return { path, isThere: file !== undefined, row, problem, place, layout: layoutOf(path) };
}

export function collectFiles(files: Iterable<FileNow>): FilesNow {
  const collected = createFilesNow();
  for (const file of files) collected.add(file);
  return collected;
}

export function createFilesNow(): FilesNow {
  let list: FileNow[] = [];
  const byPath = new Map<string, FileNow>();
  const byId = new Map<string, FileNow[]>();
  const slugs = new Set<Key>();
  const repeatedSlugs = new Set<Key>();
  const repeatedIds = new Set<string>();
  const counts = new Map<string, number>();

  function drop(paths: ReadonlySet<string>): void {
    for (const path of paths) {
      const file = byPath.get(path);
      const others = file?.row && byId.get(file.row.id);
      others?.splice(others.indexOf(file!), 1);
      byPath.delete(path);
    }
    list = list.filter(({ path }) => !paths.has(path));
  }

  return {
    get list() {
      return list;
    },
    byPath,
    withId: (id) => byId.get(id) ?? NONE,
    repeatedSlugs,
    repeatedIds,
    counts,
    add(file) {
      const { path, row, place } = file;
      if (byPath.has(path)) drop(new Set([path]));
      list.push(file);
      byPath.set(path, file);
      if (place) counts.set(place.collection, (counts.get(place.collection) ?? 0) + 1);
      if (!row) return;
      const others = byId.get(row.id);
      if (others?.length) repeatedIds.add(row.id);
      if (others) others.push(file);
      else byId.set(row.id, [file]);
      const key = slugKey(row);
      if (slugs.has(key)) repeatedSlugs.add(key);
      else slugs.add(key);
    },
    drop,
  };
}
