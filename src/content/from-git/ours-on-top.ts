// Changes of ours that are durable when somebody else's commits come below them. What the views show then is one step from
// what they show now: the commits and, on top of them, the files as the last of our changes left them. Whether the two
// have to do with each other at all is asked first, since it is rare, and what the commits come to alone is ready then.
import type { Oid } from '../../store/git/objects.ts';
import { FILE_MODE, TREE_MODE } from '../../store/git/tree.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { parsePath } from '../stored.ts';
import { createSteps, followClaims } from './claim-order.ts';
import { type Claim, type Claims, idKey, type Key, keysOf, pathsOf, shownFrom, slugKey } from './claims.ts';
import type { ContestPlan } from './contests.ts';
import type { FileReading } from './file-now.ts';
import { type FilesNow, toFileNow } from './files-now.ts';
import { type FileHere, type ReadParts, readFile } from './read-changes.ts';

export interface Ours {
  /** Paths of their files, as the changes are now and as they were before. */
  paths: ReadonlySet<string>;
  /** As they are on top of what came, oldest first; `blobs` are the ids of the written files, in their order. */
  onTop: readonly { files: readonly FileChange[]; blobs: readonly Oid[] }[];
}

export const NONE_OF_OURS: Ours = { paths: new Set(), onTop: [] };

export interface OursParts extends ReadParts {
  claims: Claims;
  /** What was read of a replayed change's files ahead of time, by their bytes. */
  madeReady?: WeakMap<Buffer, FileReading> | undefined;
}

/** A file or a folder. */
export type FindFile = (path: string) => FileHere | undefined;

interface OwnFile {
  path: string;
  oid: Oid;
  content: Buffer;
}

/** What the last of the changes left at each path; null where that was nothing. */
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

/** Whether the files that came, or what they contest, are anything that ours decide, or did. */
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

/** Puts them on top of the files that came; where ours left a place, there is what `find` has. */
export function addOurs(parts: OursParts, files: FilesNow, { paths }: Ours, last: LastOfOurs, find: FindFile): void {
  files.drop(paths);
  for (const path of paths) {
    if (!parsePath(path)) continue;
    const own = last.get(path);
    const theirs = own === undefined ? findFileAt(path, find) : undefined;
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

/** The files at paths of ours below these, as claims. */
export function claimsBelow(parts: OursParts, { paths }: Ours, find: FindFile): Claim[] {
  return [...paths].flatMap((path) => {
    const file = parsePath(path) && findFileAt(path, find);
    const { row } = file ? readFile(parts, file) : {};
    return row ? [{ path, id: row.id, oid: row.etag }] : [];
  });
}

/** Changes the orders as our commits do. `below` are the claims of the files that are at paths of ours before them. */
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
