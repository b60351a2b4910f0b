// The hard part of showing files: several files of the repository claim an id or a slug, or did before. The caller
// decides which of them holds it (claim-order.ts). This works out in small steps what that means for rows and warnings,
// and shows all of it at once when the caller wants.
import { FILE_MODE } from '../../store/git/tree.ts';
import { type FileLayout, layoutOf, parsePath, pathsOf } from '../files/paths.ts';
import type { Row } from '../rows/row.ts';
import type { RowChanges } from '../rows/view.ts';
import { type Arrange, arrangeClaims, claimAt } from './arrange-claims.ts';
import { followClaims } from './claim-order.ts';
import {
  type Claim,
  type ClaimedPlace,
  type Claims,
  chooseOf,
  claimOf,
  idKey,
  isIdKey,
  type Key,
  keysOf,
  nameIn,
  placeIn,
  planClaims,
  slugKey,
  waitingProblem,
} from './claims.ts';
import type { FileNow, FileReading } from './file-now.ts';
import type { FilesNow } from './files-now.ts';
import { readFile } from './read-changes.ts';
import type { ShowParts } from './show-parts.ts';
import { shownBeside } from './shown-beside.ts';
import { warnOfFile } from './warnings.ts';

/** How a change affects contested keys, to be shown later. */
export interface ContestPlan {
  /** Files of the change that claim, or claimed before, what other files claim too. */
  readonly files: ReadonlySet<FileNow>;
  /** The keys that the plan depends on: once a document with one of them changes, the plan is stale. */
  readonly keys: ReadonlySet<Key>;
  /** Changes claims and warnings, and adds its changes of rows to `changes`. */
  show(changes: RowChanges): void;
}

/** The order after one commit on top of what is shown. */
const arrangeStep: Arrange = function* (contests) {
  const lists = new Map<Key, readonly Claim[]>();
  for (const [key, { before, after, step }] of contests) {
    const paths = before.map(({ path }) => path);
    const order = followClaims(paths, step);
    lists.set(
      key,
      after.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path)),
    );
    yield undefined;
  }
  return lists;
};
arrangeStep.isOneStep = true;

/** Fills `keys` with the keys of the plan while it is made. */
export function* planContests(
  parts: ShowParts,
  files: FilesNow,
  arrange: Arrange = arrangeStep,
  keys = new Set<Key>(),
): Generator<undefined, ContestPlan> {
  for (const key of yield* findContested(parts, files)) keys.add(key);
  const contested = keys.size ? yield* claimantsOf(parts, files, keys) : NOTHING;
  if (contested.size === 0 && (arrange.isOneStep || parts.claims.isEmpty)) {
    return { files: contested, keys, show: () => undefined };
  }
  return { files: contested, keys, show: yield* decide(parts, contested, files.byPath, arrange, keys) };
}

const NOTHING: ReadonlySet<FileNow> = new Set();

/** The keys of the change's files that several files claim, or claimed before. */
function* findContested({ view, claims }: ShowParts, files: FilesNow): Generator<undefined, Set<Key>> {
  const hot = new Set<Key>();
  for (const key of files.repeatedSlugs) hot.add(key);
  for (const id of files.repeatedIds) hot.add(idKey(id));
  for (const file of files.list) {
    if (!claims.isEmpty) for (const key of contestedKeysOf(claims, file)) hot.add(key);
    for (const row of shownBeside(view, files, file).rivals) {
      if (row.id === file.row!.id) hot.add(idKey(row.id));
      if (isAt(row, file.row!)) hot.add(slugKey(row));
    }
    yield undefined;
  }
  return hot;
}

/** Keys of the file, before and now, that a contested file has too. */
function* contestedKeysOf(claims: Claims, { path, place, row }: FileNow): Generator<Key> {
  const claim = claims.of(path);
  if (claim) yield* keysOf(claim);
  if (place && pathsOf(place).some((one) => claims.of(one))) yield slugKey(place);
  if (row && claims.withId(row.id).length) yield idKey(row.id);
}

function isAt(a: Row, b: Row): boolean {
  return a.slug === b.slug && a.collection === b.collection;
}

/** The files of the change that claim one of the keys, or claimed it before. */
function* claimantsOf(
  { view, claims }: ShowParts,
  files: FilesNow,
  keys: ReadonlySet<Key>,
): Generator<undefined, ReadonlySet<FileNow>> {
  const found = new Set<FileNow | undefined>();
  for (const file of files.list) if (claims.of(file.path)) found.add(file);
  for (const key of keys) {
    const name = nameIn(key);
    if (isIdKey(key)) {
      for (const file of files.withId(name)) found.add(file);
      const shown = view.byId(name);
      if (shown) found.add(files.byPath.get(claimOf(shown).path));
    } else for (const path of pathsOf(placeIn(name))) found.add(files.byPath.get(path));
    yield undefined;
  }
  return new Set(files.list.filter((file) => found.has(file)));
}

/**
 * `files` are the contested files of the change, `now` all of its files by path. The steps read and fill one plan of
 * the claims, which is shown as a whole or not at all.
 */
function* decide(
  parts: ShowParts,
  files: ReadonlySet<FileNow>,
  now: ReadonlyMap<string, FileNow>,
  arrange: Arrange,
  keys: Set<Key>,
): Generator<undefined, ContestPlan['show']> {
  const { view, claims } = parts;
  const planned = planClaims(claims);
  const outcome: RowChanges = { removed: [], put: [] };
  const shownFrom: [Row, FileLayout][] = [];
  const reported: [path: string, problem: string | undefined][] = [];
  const places = new Map<Key, ClaimedPlace>();
  /** Claims of files that contest a key after the change. */
  const contested = new Map<string, Claim>();

  for (const [key, list] of yield* arrangeClaims({ claims, view, planned, files, now, keys, arrange })) {
    for (const path of claims.list(key) ?? []) visit(path);
    planned.set(key, list);
    for (const claim of list) {
      contested.set(claim.path, claim);
      visit(claim.path);
    }
    yield undefined;
  }
  for (const { path } of files) visit(path);
  for (const [key, place] of places) {
    keys.add(key);
    decidePlace(place);
    yield undefined;
  }
  return show;

  function show({ removed, put }: RowChanges): void {
    planned.apply();
    for (const row of outcome.removed) removed.push(row);
    for (const row of outcome.put) put.push(row);
    for (const [row, layout] of shownFrom) row.layout = layout;
    for (const [path, problem] of reported) warnOfFile(parts, path, problem);
  }

  function visit(path: string): void {
    const place = parsePath(path);
    if (place && view.collection(place.collection)) places.set(slugKey(place), place);
  }

  function decidePlace(place: ClaimedPlace): void {
    const candidates = candidatesAt(place);
    for (const { id } of candidates) keys.add(idKey(id));
    const chosen = chooseOf(planned, candidates);
    const current = view.bySlug(place.collection, place.slug);
    const isSame = current && chosen && claimOf(current).path === chosen.path && current.etag === chosen.oid;
    const read = chosen && !isSame && !now.get(chosen.path)?.row ? readClaim(chosen) : undefined;
    const row = chosen && (now.get(chosen.path)?.row ?? read?.row ?? current);
    if (current && current.id !== row?.id) outcome.removed.push(current);
    if (row && row !== current) outcome.put.push(row);
    if (row) shownFrom.push([row, layoutOf(chosen!.path)]);
    for (const claim of candidates) {
      const file = now.get(claim.path);
      if (claim !== chosen) reported.push([claim.path, waitingProblem(planned, claim, chosen)]);
      else if (file || read) reported.push([claim.path, (file ?? read)!.problem]);
    }
  }

  function candidatesAt(place: ClaimedPlace): Claim[] {
    const list = planned.list(slugKey(place));
    if (list) return list.map((path) => planned.of(path)!);
    return pathsOf(place).flatMap((path) => {
      const file = now.get(path);
      if (file) return file.row ? [{ path, id: file.row.id, oid: file.row.etag }] : [];
      return contested.get(path) ?? claimAt(view, planned, path) ?? [];
    });
  }

  function readClaim({ path, oid }: Claim): FileReading {
    return readFile(parts, { path, mode: FILE_MODE, oid }, { bytes: parts.findWaiting?.(oid) });
  }
}
