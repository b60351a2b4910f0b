// The hard part of showing files: several of the repository claim an id or a slug, or did. Which of them holds it is for the
// caller to say (claim-order.ts); what follows for the rows and the warnings is worked out here, in small steps, and shown
// at once when the caller says so.
import { FILE_MODE } from '../../store/git/tree.ts';
import type { Row } from '../rows/row.ts';
import type { RowChanges } from '../rows/view.ts';
import { isSharded, parsePath } from '../stored.ts';
import { type Arrange, arrangeClaims, claimAt } from './arrange-claims.ts';
import { followClaims } from './claim-order.ts';
import {
  type Claim,
  type ClaimedPlace,
  type Claims,
  chooseOf,
  claimOf,
  draftClaims,
  idKey,
  isIdKey,
  type Key,
  keysOf,
  nameIn,
  pathsOf,
  placeIn,
  slugKey,
  waitingProblem,
} from './claims.ts';
import type { FileNow, FileReading } from './file-now.ts';
import type { FilesNow } from './files-now.ts';
import { readFile } from './read-changes.ts';
import type { ShowParts } from './show-parts.ts';
import { shownBeside } from './shown-beside.ts';
import { warnOfFile } from './warnings.ts';

/** What becomes of what is contested, once it is shown. */
export interface ContestPlan {
  /** Those of the change that claim what others claim too, or did. */
  readonly files: ReadonlySet<FileNow>;
  /** What it rests on: it is of no use any more when a document that has one of them changes. */
  readonly keys: ReadonlySet<Key>;
  /** Changes claims and warnings, and adds what becomes of the rows. */
  show(changes: RowChanges): void;
}

/** As one commit on top of what is shown. */
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

/** `keys` become those of the plan while it is made. */
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

/** What several files claim now, or did, one of the change's among them. */
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

/** Keys of the file, as it was and is, that a contested file has. */
function* contestedKeysOf(claims: Claims, { path, place, row }: FileNow): Generator<Key> {
  const claim = claims.of(path);
  if (claim) yield* keysOf(claim);
  if (place && pathsOf(place).some((one) => claims.of(one))) yield slugKey(place);
  if (row && claims.withId(row.id).length) yield idKey(row.id);
}

function isAt(a: Row, b: Row): boolean {
  return a.slug === b.slug && a.collection === b.collection;
}

/** Those of the files that claim one of the keys now, or did. */
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
 * `files` are those that claim what others claim too, `now` all of the change. Its steps read and fill one draft of the
 * claims, which is shown as a whole or not at all.
 */
function* decide(
  parts: ShowParts,
  files: ReadonlySet<FileNow>,
  now: ReadonlyMap<string, FileNow>,
  arrange: Arrange,
  keys: Set<Key>,
): Generator<undefined, ContestPlan['show']> {
  const { view, claims } = parts;
  const draft = draftClaims(claims);
  const outcome: RowChanges = { removed: [], put: [] };
  const shownFromShard: [Row, boolean][] = [];
  const told: [path: string, problem: string | undefined][] = [];
  const places = new Map<Key, ClaimedPlace>();
  /** Files that are contested, or were. */
  const contested = new Map<string, Claim>();

  for (const [key, list] of yield* arrangeClaims({ claims, view, draft, files, now, keys, arrange })) {
    for (const path of claims.list(key) ?? []) visit(path);
    draft.set(key, list);
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
    draft.apply();
    for (const row of outcome.removed) removed.push(row);
    for (const row of outcome.put) put.push(row);
    for (const [row, isInShard] of shownFromShard) row.isSharded = isInShard;
    for (const [path, problem] of told) warnOfFile(parts, path, problem);
  }

  function visit(path: string): void {
    const place = parsePath(path);
    if (place && view.collection(place.collection)) places.set(slugKey(place), place);
  }

  function decidePlace(place: ClaimedPlace): void {
    const candidates = candidatesAt(place);
    for (const { id } of candidates) keys.add(idKey(id));
    const chosen = chooseOf(draft, candidates);
    const current = view.bySlug(place.collection, place.slug);
    const isSame = current && chosen && claimOf(current).path === chosen.path && current.etag === chosen.oid;
    const read = chosen && !isSame && !now.get(chosen.path)?.row ? readClaim(chosen) : undefined;
    const row = chosen && (now.get(chosen.path)?.row ?? read?.row ?? current);
    if (current && current.id !== row?.id) outcome.removed.push(current);
    if (row && row !== current) outcome.put.push(row);
    if (row) shownFromShard.push([row, isSharded(chosen!.path)]);
    for (const claim of candidates) {
      const file = now.get(claim.path);
      if (claim !== chosen) told.push([claim.path, waitingProblem(draft, claim)]);
      else if (file || read) told.push([claim.path, (file ?? read)!.problem]);
    }
  }

  function candidatesAt(place: ClaimedPlace): Claim[] {
    const list = draft.list(slugKey(place));
    if (list) return list.map((path) => draft.of(path)!);
    return pathsOf(place).flatMap((path) => {
      const file = now.get(path);
      if (file) return file.row ? [{ path, id: file.row.id, oid: file.row.etag }] : [];
      return contested.get(path) ?? claimAt(view, draft, path) ?? [];
    });
  }

  function readClaim({ path, oid }: Claim): FileReading {
    return readFile(parts, { path, mode: FILE_MODE, oid }, { bytes: parts.findWaiting?.(oid) });
  }
}
