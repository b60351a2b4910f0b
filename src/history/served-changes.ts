// Which documents a commit changed, from its tree and its parent's: what was served before and after it. If several
// files claim an id or a slug, one is served and the others wait, as in the views; when that file goes, the next one
// takes its place in the same commit. Without contested claims this costs no more than reading the files that differ.

import { isMarkdown, otherPaths, parsePath, pathsOf } from '../content/files/paths.ts';
import { followClaims, orderByLog } from '../content/from-git/claim-order.ts';
import { type Claim, idKey, isIdKey, type Key, keysOf, nameIn, placeIn, slugKey } from '../content/from-git/claims.ts';
import { findOrigins, originIn, probeOrigin } from '../content/from-git/origins.ts';
import { readDocument } from '../content/from-git/other-files.ts';
import type { Origin } from '../content/stored.ts';
import { runBreathing, runToEnd } from '../lib/queues/slices.ts';
import type { Oid } from '../store/git/objects.ts';
import { createTreeLookup } from '../store/git/tree-lookup.ts';
import { isRegular } from '../store/intake/intake-tree.ts';
import type { Claimant, ClaimantLists, Contested } from './contested.ts';
import type { DocumentChange, DocumentPlace } from './log-index.ts';
import { type DocumentFileChange, readFiles, type TreeReadParts } from './tree-changes.ts';

export interface ServedParts extends TreeReadParts {
  /** As of the commit before. */
  contested: Contested;
  /** The place that serves the document before the commit; undefined if it is not served. */
  placeOf(id: string): Promise<DocumentPlace | undefined>;
  /** What files without an id or dates are, by path, as of the newest commit that was read. */
  byHand: Map<string, Origin>;
}

export interface CommitTrees {
  commit: Oid;
  before: Oid | null;
  after: Oid;
  /** Whether the previous commit on the log's line is the first parent. */
  isOnFirst: boolean;
  /** The previous commit on the log's line; null for the first one. */
  previous: Oid | null;
}

export interface ServedChanges {
  changes: DocumentChange[];
  /** The contested claims that the commit changed, as they are after it. */
  lists: ClaimantLists;
}

/** A document's file that was added, changed or removed. */
interface FileStep {
  place: DocumentPlace;
  was: Claim | undefined;
  is: Claim | undefined;
}

interface ServedContest {
  /** In their order. */
  before: readonly Claimant[];
  after: readonly Claimant[];
  gone: ReadonlySet<string>;
  come: readonly string[];
}

export async function readServedChanges(parts: ServedParts, trees: CommitTrees): Promise<ServedChanges> {
  const { contested, breathe } = parts;
  if (!trees.isOnFirst) parts.byHand.clear();
  const { steps, writes } = await readSteps(parts, trees);
  const atRest = createClaimReader(parts, trees);
  const claimBefore = (path: string): Claim | undefined => (steps.has(path) ? steps.get(path)!.was : atRest(path));
  const claimAfter = (path: string): Claim | undefined => (steps.has(path) ? steps.get(path)!.is : atRest(path));
  const contests = await findContests(parts, steps, claimBefore, trees.isOnFirst);
  const lists = await arrange(parts, contests, trees);

  const listAfter = (key: Key): readonly Claimant[] | undefined => {
    const list = lists.get(key);
    return list ? (list.length > 1 ? list : undefined) : contested.list(key);
  };
  const places = new Map<Key, DocumentPlace>();
  const visit = (place: DocumentPlace): void => void places.set(slugKey(place), place);
  for (const { before, after } of contests.values()) {
    await breathe();
    for (const { path } of [...before, ...after]) visit(parsePath(path)!);
  }
  const was = new Map<string, Claim>();
  const is = new Map<string, Claim>();
  for (const step of steps.values()) if (step.was?.id !== step.is?.id) visit(step.place);
  for (const step of steps.values()) {
    await breathe();
    if (places.has(slugKey(step.place))) continue;
    was.set(step.was!.id, step.was!);
    is.set(step.is!.id, step.is!);
  }
  for (const place of places.values()) {
    await breathe();
    const before = findServed(place, (key) => contested.list(key), claimBefore);
    const after = findServed(place, listAfter, claimAfter);
    if (before) was.set(before.id, before);
    if (after) is.set(after.id, after);
  }
  // Removed documents come first, as their files do.
  const ids = new Set<string>();
  for (const step of steps.values()) if (step.was) ids.add(step.was.id);
  for (const step of steps.values()) if (step.is) ids.add(step.is.id);
  for (const id of [...was.keys(), ...is.keys()]) ids.add(id);
  const changes: DocumentChange[] = [];
  for (const id of ids) {
    await breathe();
    const change = toChange(id, was.get(id), is.get(id));
    const file = is.get(id);
    const isTold = !file || (writes.get(file.oid) === 1 && steps.get(file.path)?.is?.oid === file.oid);
    if (change) changes.push(isTold ? change : { ...change, path: file.path });
  }
  return { changes, lists };
}

function toChange(id: string, was: Claim | undefined, is: Claim | undefined): DocumentChange | undefined {
  // A Markdown file that got another name has the same bytes.
  if (is) return is.oid === was?.oid && isSamePlace(is, was) ? undefined : { id, blob: is.oid };
  return was && { id, gone: parsePath(was.path)! };
}

function isSamePlace(one: Claim, other: Claim): boolean {
  return slugKey(parsePath(one.path)!) === slugKey(parsePath(other.path)!);
}

/** The file that is served at a place. */
function findServed(
  place: DocumentPlace,
  list: (key: Key) => readonly Claimant[] | undefined,
  claimAt: (path: string) => Claim | undefined,
): Claim | undefined {
  const candidates = list(slugKey(place))?.map(({ path }) => path) ?? pathsOf(place);
  for (const path of candidates) {
    const claim = claimAt(path);
    const holder = claim && (list(idKey(claim.id))?.[0]?.path ?? path);
    if (holder === path) return claim;
  }
  return undefined;
}

/** The files that differ and are documents before or after the commit, and how often it wrote each blob. */
async function readSteps(
  parts: ServedParts,
  { commit, before, after, previous }: CommitTrees,
): Promise<{ steps: Map<string, FileStep>; writes: ReadonlyMap<Oid, number> }> {
  const files = new Map((await readFiles(parts, before, after)).map((file) => [file.path, file]));
  const steps = new Map<string, FileStep>();
  const writes = new Map<Oid, number>();
  for (const file of files.values()) {
    await parts.breathe();
    const { path, place } = file;
    if (file.after) writes.set(file.after, (writes.get(file.after) ?? 0) + 1);
    if (file.before === file.after || isOnlyMoved(parts, file, files)) continue;
    const was = file.before ? readClaim(parts, path, file.before, previous) : undefined;
    // A new file has nothing to do with one that was there before.
    if (!file.before || !file.after) parts.byHand.delete(path);
    const is = file.after ? readClaim(parts, path, file.after, commit) : undefined;
    if (was || is) steps.set(path, { place, was, is });
  }
  return { steps, writes };
}

/** The file only moved to another layout. When a folder becomes sharded, most of its files need not be read. */
function isOnlyMoved(
  { contested }: ServedParts,
  file: DocumentFileChange,
  files: ReadonlyMap<string, DocumentFileChange>,
): boolean {
  const { path, place, before, after } = file;
  if (before && after) return false;
  const other = otherPaths(path)
    .map((one) => files.get(one))
    .find((one) => one && one.before === after && one.after === before && isMarkdown(one.path) === isMarkdown(path));
  if (!other) return false;
  const isContested = contested.list(slugKey(place)) ?? contested.idAt(path) ?? contested.idAt(other.path);
  return isContested === undefined;
}

/** `commit` has the file. */
function readClaim(parts: ServedParts, path: string, oid: Oid, commit: Oid | null): Claim | undefined {
  const { byHand } = parts;
  const probe = probeOrigin(() => originAt(parts, path, commit));
  const doc = readDocument(() => parts.readBlob(oid), path, { originOf: probe.originOf });
  if (probe.lacks.length === 0) byHand.delete(path);
  else if (typeof doc === 'object')
    byHand.set(path, { id: doc.id, createdAt: doc.createdAt, updatedAt: doc.updatedAt });
  return typeof doc === 'object' ? { path, id: doc.id, oid } : undefined;
}

/** The origin of a path stays what it is until the file is gone. */
function originAt({ odb, byHand }: ServedParts, path: string, commit: Oid | null): Origin {
  let origin = byHand.get(path);
  if (!origin) {
    origin = (commit && runToEnd(findOrigins(odb, commit, [path])).get(path)) || originIn('', path, 0);
    byHand.set(path, origin);
  }
  return origin;
}

/** Reads the document at a path that did not change. */
function createClaimReader(
  parts: ServedParts,
  { commit, after: root }: CommitTrees,
): (path: string) => Claim | undefined {
  const { odb, contested } = parts;
  const { find } = createTreeLookup((oid) => odb.get(oid, 'tree'));
  return (path) => {
    const found = find(root, path);
    if (!found || !isRegular(found.mode)) return undefined;
    const id = contested.idAt(path);
    return id === undefined ? readClaim(parts, path, found.oid, commit) : { path, id, oid: found.oid };
  };
}

/** The keys that several files claim before or after the commit, if the commit may change their order. */
async function findContests(
  parts: ServedParts,
  steps: ReadonlyMap<string, FileStep>,
  claimBefore: (path: string) => Claim | undefined,
  isOnFirst: boolean,
): Promise<Map<Key, ServedContest>> {
  const { contested, placeOf, breathe } = parts;
  const byKey = new Map<Key, { gone: Set<string>; come: string[] }>();
  const stepOf = (key: Key) => {
    const step = byKey.get(key) ?? { gone: new Set(), come: [] };
    byKey.set(key, step);
    return step;
  };
  const wasWithId = new Map<string, Claim>();
  for (const [path, { was, is }] of steps) {
    await breathe();
    if (was) wasWithId.set(was.id, was);
    if (was?.id === is?.id && contested.idAt(path) === undefined) continue;
    const [old, now] = [was ? keysOf(was) : [], is ? keysOf(is) : []];
    for (const key of old) if (!now.includes(key)) stepOf(key).gone.add(path);
    for (const key of now) if (!old.includes(key)) stepOf(key).come.push(path);
    // A list contains the ids of its files, so a changed id changes the list.
    for (const key of now) if (contested.list(key)) stepOf(key);
  }
  // The order follows first parents, so it may be different below another first parent.
  if (!isOnFirst) for (const key of contested.keys()) stepOf(key);

  const contests = new Map<Key, ServedContest>();
  for (const [key, { gone, come }] of byKey) {
    await breathe();
    const before = contested.list(key) ?? (await findHolder(key));
    const stayed = before.filter(({ path }) => !gone.has(path));
    const after = [
      ...stayed.map(({ path, id }) => ({ path, id: steps.get(path)?.is?.id ?? id })),
      ...come.map(arrival),
    ];
    if (before.length > 1 || after.length > 1) contests.set(key, { before, after, gone, come });
  }
  return contests;

  function arrival(path: string): Claimant {
    return { path, id: steps.get(path)!.is!.id };
  }

  /** The only file that claims the key, if there is one; a file that waits for its slug is not served. */
  async function findHolder(key: Key): Promise<readonly Claimant[]> {
    const name = nameIn(key);
    const known = isIdKey(key) ? (contested.withId(name)[0] ?? wasWithId.get(name)) : undefined;
    if (known) return [known];
    const place = isIdKey(key) ? await placeOf(name) : placeIn(name);
    const found = (place ? pathsOf(place) : []).flatMap((path) => claimBefore(path) ?? []);
    return found.filter(({ id }) => !isIdKey(key) || id === name).slice(0, 1);
  }
}

/** The claimants of each key in their order after the commit. */
async function arrange(
  { odb, breathe }: ServedParts,
  contests: ReadonlyMap<Key, ServedContest>,
  { commit, isOnFirst }: CommitTrees,
): Promise<ClaimantLists> {
  const inLog = isOnFirst ? undefined : await orderAnew();
  const lists = new Map<Key, readonly Claimant[]>();
  for (const [key, { before, after, gone, come }] of contests) {
    await breathe();
    const claimants = new Map(after.map((claimant) => [claimant.path, claimant]));
    const paths = before.map(({ path }) => path);
    const order = inLog?.get(key) ?? followClaims(paths, { gone, come });
    lists.set(
      key,
      order.map((path) => claimants.get(path)!),
    );
  }
  return lists;

  function orderAnew(): Promise<ReadonlyMap<Key, readonly string[]>> {
    const claimants = new Map<Key, readonly string[]>();
    for (const [key, { after }] of contests) {
      const paths = after.map(({ path }) => path);
      claimants.set(key, paths);
    }
    return runBreathing(orderByLog({ odb, isCollection: () => true }, claimants, commit), breathe);
  }
}
