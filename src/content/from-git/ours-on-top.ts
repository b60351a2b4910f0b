// Durable changes of ours that external commits come below. The views move in one step to the new state: the commits
// and, on top of them, the files as the last of our changes left them. First checks whether the two affect each other
// at all, which is rare: if not, the prepared result of the commits alone is used.
import type { Oid } from '../../store/git/objects.ts';
import { FILE_MODE, TREE_MODE } from '../../store/git/tree.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { parsePath, pathsOf } from '../files/paths.ts';
import { createSteps, followClaims } from './claim-order.ts';
import { type Claim, type Claims, idKey, type Key, keysOf, shownFrom, slugKey } from './claims.ts';
import type { ContestPlan } from './contests.ts';
import type { FileReading } from './file-now.ts';
import { type FilesNow, toFileNow } from './files-now.ts';
import { type FileHere, type ReadParts, readFile } from './read-changes.ts';

export interface Ours {
  /** Paths of their files, before and after the replay. */
  paths: ReadonlySet<string>;
  /** The replayed changes, oldest first; `blobs` are the ids of the written files, in their order. */
  onTop: readonly { files: readonly FileChange[]; blobs: readonly Oid[] }[];
}

export const NONE_OF_OURS: Ours = { paths: new Set(), onTop: [] };

export interface OursParts extends ReadParts {
  claims: Claims;
  /** Readings of a replayed change's files that were made ahead of time, by the files' bytes. */
  madeReady?: WeakMap<Buffer, FileReading> | undefined;
}

/** A file or a folder. */
export type FindFile = (path: string) => FileHere | undefined;

interface OwnFile {
  path: string;
  oid: Oid;
  content: Buffer;
}

/** What the last of our changes left at each path; null if it deleted the file. */
export type LastOfOurs = ReadonlyMap<string, OwnFile | null>;

export function lastOf({ onTop }: Ours): LastOfOurs {
  const last = new Map<string, OwnFile | null>();
  for (const change of onTop) for (const { path, file } of filesOf(change)) last.set(path, file);
  return last;
}

function filesOf({ files, blobs }: Ours['onTop'][number]): { path: string; file: OwnFile | null }[] {
  let written = 0;
  return files.map(({ path, content }) => ({ path, file: content && { path, content, oid: blobs[written++]! } }));
}

/** Whether our changes, before or after the replay, affect the files that came, or the keys that those contest. */
export function areMetByOurs(
  parts: OursParts,
  files: FilesNow,
  { keys }: ContestPlan,
  ours: Ours,
  last: LastOfOurs,
  findBefore: FindFile,
): boolean {
  const { view, claims } = parts;
  const isOurs = (path: string): boolean => ours.paths.has(path);
  for (const path of ours.paths) {
    const place = parsePath(path);
    if (!place) continue;
    if (pathsOf(place).some((one) => files.byPath.has(one))) return true;
    const shown = claims.of(path)?.oid ?? shownFrom(view, path)?.etag;
    if (last.get(path)?.oid !== shown) return true;
    if (keys.size > 0 && (keys.has(slugKey(place)) || idsAt(path).some((id) => keys.has(idKey(id))))) return true;
  }
  return files.list.some(({ row }) => {
    const known = row && view.byId(row.id);
    return known !== undefined && pathsOf(known).some(isOurs);
  });

  function idsAt(path: string): string[] {
    const before = findFileAt(path, findBefore);
    const rows = [claims.of(path), shownFrom(view, path), before && readFile(parts, before).row];
    return rows.flatMap((row) => row?.id ?? []);
  }
}

/** Puts our files on top of the files that came; at a path that our changes no longer write is what `find` returns. */
export function addOurs(parts: OursParts, files: FilesNow, { paths }: Ours, last: LastOfOurs, find: FindFile): void {
  files.drop(paths);
  for (const path of paths) {
    if (!parsePath(path)) continue;
    const own = last.get(path);
    const theirs = own === undefined ? find(path) : undefined; // a folder too, which is warned of
    files.add(toFileNow(path, own ? readOwn(parts, own) : theirs && readFile(parts, theirs)));
  }
  for (const file of files.list) file.beside = undefined;
}

function findFileAt(path: string, find: FindFile): FileHere | undefined {
  const found = find(path);
  return found?.mode === TREE_MODE ? undefined : found;
}

function readOwn(parts: OursParts, { path, oid, content }: OwnFile): FileReading {
  return parts.madeReady?.get(content) ?? readFile(parts, { path, mode: FILE_MODE, oid }, { bytes: content });
}

/** The claims of the files that are at our paths below our changes. */
export function claimsBelow(parts: OursParts, { paths }: Ours, find: FindFile): Claim[] {
  return [...paths].flatMap((path) => {
    const file = parsePath(path) && findFileAt(path, find);
    const { row } = file ? readFile(parts, file) : {};
    return row ? [{ path, id: row.id, oid: row.etag }] : [];
  });
}

/** Applies our commits to the orders. `below` are the claims of the files that are at our paths before them. */
export function followOurs(
  parts: OursParts,
  ordered: Map<Key, string[]>,
  { onTop }: Ours,
  below: readonly Claim[],
): void {
  const claims = new Map(below.map((claim) => [claim.path, claim]));
  const keysAt = (path: string): Key[] => {
    const claim = claims.get(path);
    return claim ? keysOf(claim).filter((key) => ordered.has(key)) : [];
  };
  for (const change of onTop) {
    const steps = createSteps<string>();
    for (const { path, file } of filesOf(change)) {
      if (!parsePath(path)) continue;
      const was = keysAt(path);
      const { row } = file ? readOwn(parts, file) : {};
      if (row) claims.set(path, { path, id: row.id, oid: row.etag });
      else claims.delete(path);
      const is = keysAt(path);
      for (const key of was) if (!is.includes(key)) steps.of(key).gone.add(path);
      for (const key of is) if (!was.includes(key)) steps.of(key).come.push(path);
    }
    for (const [key, step] of steps) ordered.set(key, followClaims(ordered.get(key)!, step));
  }
}
