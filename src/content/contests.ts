// The hard part of showing files: several of the repository claim an id or a slug, or did. Which of them holds it is for the
// caller to say (claim-order.ts); what follows for the rows and the warnings is worked out here, and nothing is shown yet.
import { FILE_MODE } from '../store/tree.ts';
import { type ClaimStep, followClaims } from './claim-order.ts';
import {
  type Claim,
  chooseOf,
  claimOf,
  isIdKey,
  type Key,
  keysOf,
  nameIn,
  type Place,
  pathsOf,
  placeIn,
  shownFrom,
  slugKey,
  waitingProblem,
} from './claims.ts';
import type { FileNow } from './files-now.ts';
import { type ReadFile, readFile } from './read-changes.ts';
import type { ShowParts } from './show-files.ts';
import { isSharded, parsePath } from './stored.ts';
import type { RowChanges } from './view.ts';
import { tell } from './warnings.ts';

/** A key that several files claim, or claimed before. */
export interface Contest {
  /** In their order. */
  before: readonly Claim[];
  after: readonly Claim[];
  step: ClaimStep;
}

export type Contests = Map<Key, Contest>;
/** Puts those that claim a key after the change into their order. */
export interface Arrange {
  (contests: Contests): ReadonlyMap<Key, readonly Claim[]>;
  /** Whether it is one commit on top of what is shown: what that left as it was keeps its order. */
  isOneStep?: boolean;
}

/** As one commit on top of what is shown. */
const arrangeStep: Arrange = (contests) =>
  new Map(
    [...contests].map(([key, { before, after, step }]) => {
      const paths = before.map(({ path }) => path);
      const order = followClaims(paths, step);
      return [key, after.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path))];
    }),
  );

/** Adds what becomes of the rows. `now` are all files of the change, `files` those that claim what others claim too. */
export function showContested(
  parts: ShowParts,
  files: readonly FileNow[],
  now: ReadonlyMap<string, FileNow>,
  changes: RowChanges,
  arrangeAgain?: Arrange,
): void {
  const { view, claims } = parts;
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
  for (const place of places.values()) showPlace(place);

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
    if (arrangeAgain && !arrangeAgain.isOneStep) for (const key of claims.keys()) stepOf(key);
    for (const [key, { gone, come }] of steps) {
      const before = membersOf(key);
      // One of the change's other files may have had it alone.
      for (const { path } of before) if (now.has(path) && !keysNow(path).includes(key)) gone.add(path);
      const after = [...before.filter(({ path }) => !gone.has(path)), ...come].map(asNow);
      if (before.length < 2 && after.length < 2) continue;
      contests.set(key, { before, after, step: { gone, come: come.map(({ path }) => path) } });
    }
    for (const { path, row } of files) if (row) claims.update({ path, id: row.id, oid: row.etag });
    return contests.size ? (arrangeAgain ?? arrangeStep)(contests) : new Map();
  }

  function keysNow(path: string): Key[] {
    const row = now.get(path)?.row;
    return row ? keysOf({ path, id: row.id, oid: row.etag }) : [];
  }

  function asNow(claim: Claim): Claim {
    const row = now.get(claim.path)?.row;
    return row ? { path: claim.path, id: row.id, oid: row.etag } : claim;
  }

  function membersOf(key: Key): Claim[] {
    const list = claims.list(key);
    if (list) return list.map((path) => claims.of(path)!);
    const name = nameIn(key);
    if (!isIdKey(key)) return pathsOf(placeIn(name)).flatMap((path) => claimAt(path) ?? []);
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
    if (current && current.id !== row?.id) changes.removed.push(current);
    if (row && row !== current) changes.put.push(row);
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
