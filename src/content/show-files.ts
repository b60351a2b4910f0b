// From documents' files to rows: what is shown once some files came, changed or went, and what is told of those that are
// not. The one way for everybody's commits wherever several files claim an id or a slug; which of them holds it is for the
// caller to say.
import { isStructural } from '../store/intake-tree.ts';
import { FILE_MODE } from '../store/tree.ts';
import { type ClaimStep, followClaims } from './claim-order.ts';
import {
  type Claim,
  type Claims,
  chooseOf,
  claimOf,
  type Key,
  keysOf,
  shownFrom,
  slugKey,
  waitingProblem,
} from './claims.ts';
import { type ReadFile, type ReadParts, readFile } from './read-changes.ts';
import { isSharded, parsePath, pathOf } from './stored.ts';
import type { Row } from './view.ts';

export interface ShowParts extends ReadParts {
  claims: Claims;
  /** Tells an operator about a file. */
  warn(message: string): void;
}

/** A file as it is now; its `row` is that of its document, shown or not. */
export interface FileNow extends ReadFile {
  path: string;
  isThere: boolean;
}

/** A key that several files claim, or claimed before. */
export interface Contest {
  /** In their order. */
  before: readonly Claim[];
  after: readonly Claim[];
  step: ClaimStep;
}

export type Contests = Map<Key, Contest>;
/** Puts those that claim a key after the change into their order. */
export type Arrange = (contests: Contests) => ReadonlyMap<Key, readonly Claim[]>;

/** As one commit on top of what is shown. */
const arrangeStep: Arrange = (contests) =>
  new Map(
    [...contests].map(([key, { before, after, step }]) => {
      const order = followClaims(
        before.map(({ path }) => path),
        step,
      );
      return [key, after.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path))];
    }),
  );

export function showFiles(parts: ShowParts, files: readonly FileNow[], commit: string, arrangeAgain?: Arrange): void {
  const { view, claims } = parts;
  const now = new Map(files.map((file) => [file.path, file]));
  const claimAt = (path: string): Claim | undefined => {
    const row = shownFrom(view, path);
    return claims.of(path) ?? (row && claimOf(row));
  };
  const places = new Map<Key, Place>();
  const visit = (path: string): void => {
    const place = parsePath(path);
    if (place && view.collection(place.collection)) places.set(slugKey(place), place);
  };

  /** Files that are contested, or were. */
  const contested = new Map<string, Claim>();
  for (const [key, list] of arrangeAll()) {
    for (const path of claims.list(key) ?? []) visit(path);
    claims.set(key, list);
    for (const claim of list) {
      contested.set(claim.path, claim);
      visit(claim.path);
    }
  }
  for (const { path } of files) visit(path);
  const removed: Row[] = [];
  const put: Row[] = [];
  for (const place of places.values()) showPlace(place);
  // Removals first: a rename is a removal and an addition of the same id.
  for (const row of removed) view.remove(row, commit);
  for (const row of put) view.put(row, commit);
  for (const { path, isThere, row, problem } of files) {
    if (!isThere) parts.warnings.delete(path);
    else if (!row) tell(parts, path, problem);
  }

  /** The lists of all keys that are contested, or were. */
  function arrangeAll(): ReadonlyMap<Key, readonly Claim[]> {
    const steps = new Map<Key, { gone: Set<string>; come: Claim[] }>();
    const stepOf = (key: Key) => {
      const step = steps.get(key) ?? { gone: new Set<string>(), come: [] };
      steps.set(key, step);
      return step;
    };
    for (const { path, row } of files) {
      const old = claimAt(path);
      const next = row && { path, id: row.id, oid: row.etag };
      const [was, is] = [old ? keysOf(old) : [], next ? keysOf(next) : []];
      for (const key of was) if (!is.includes(key)) stepOf(key).gone.add(path);
      for (const key of is) if (!was.includes(key)) stepOf(key).come.push(next!);
    }
    const contests: Contests = new Map();
    // Commits that came together may have changed what they left as it was.
    if (arrangeAgain) for (const key of claims.keys()) stepOf(key);
    for (const [key, { gone, come }] of steps) {
      const before = membersOf(key);
      const after = [...before.filter(({ path }) => !gone.has(path)), ...come].map(asNow);
      if (before.length < 2 && after.length < 2) continue;
      contests.set(key, { before, after, step: { gone, come: come.map(({ path }) => path) } });
    }
    for (const { path, row } of files) if (row) claims.update({ path, id: row.id, oid: row.etag });
    return contests.size ? (arrangeAgain ?? arrangeStep)(contests) : new Map();
  }

  function asNow(claim: Claim): Claim {
    const row = now.get(claim.path)?.row;
    return row ? { path: claim.path, id: row.id, oid: row.etag } : claim;
  }

  function membersOf(key: Key): Claim[] {
    const list = claims.list(key);
    if (list) return list.map((path) => claims.of(path)!);
    const name = key.slice(key.indexOf(' ') + 1);
    if (!key.startsWith('id ')) return pathsOf(placeIn(name)).flatMap((path) => claimAt(path) ?? []);
    const row = view.byId(name);
    // One that waits for its slug is not shown.
    return row ? [claimOf(row)] : claims.withId(name);
  }

  function showPlace(place: Place): void {
    const candidates = candidatesAt(place);
    const chosen = chooseOf(claims, candidates);
    const current = view.bySlug(place.collection, place.slug);
    const isSame = current && chosen && claimOf(current).path === chosen.path && current.etag === chosen.oid;
    const read = chosen && !isSame && !now.get(chosen.path)?.row ? readClaim(chosen) : undefined;
    const row = chosen && (now.get(chosen.path)?.row ?? read?.row ?? current);
    if (current && current.id !== row?.id) removed.push(current);
    if (row && row !== current) put.push(row);
    if (row) row.isSharded = isSharded(chosen!.path);
    for (const claim of candidates) {
      const file = now.get(claim.path);
      if (claim !== chosen) tell(parts, claim.path, waitingProblem(claims, claim));
      else if (file || read) tell(parts, claim.path, (file ?? read)!.problem);
    }
  }

  function candidatesAt(place: Place): Claim[] {
    const list = claims.list(slugKey(place));
    if (list) return list.map((path) => claims.of(path)!);
    return pathsOf(place).flatMap((path) => {
      const file = now.get(path);
      if (file) return file.row ? [{ path, id: file.row.id, oid: file.row.etag }] : [];
      return contested.get(path) ?? claimAt(path) ?? [];
    });
  }

  function readClaim({ path, oid }: Claim): ReadFile {
    return readFile(parts, { path, mode: FILE_MODE, oid });
  }
}

type Place = { collection: string; slug: string };

function placeIn(name: string): Place {
  const slash = name.indexOf('/');
  return { collection: name.slice(0, slash), slug: name.slice(slash + 1) };
}

/** In both layouts. */
function pathsOf(place: Place): string[] {
  return [pathOf(place, false), pathOf(place, true)];
}

/** Tells what is wrong with a file, once; undefined if nothing is. What is wrong with its name stays. */
export function tell({ warnings, warn }: ShowParts, path: string, problem: string | undefined): void {
  const told = warnings.get(path);
  if (told === problem || (told !== undefined && isStructural(path, told) && !(problem && isStructural(path, problem))))
    return;
  if (problem === undefined) warnings.delete(path);
  else {
    warnings.set(path, problem);
    warn(`${path}: ${problem}`);
  }
}
