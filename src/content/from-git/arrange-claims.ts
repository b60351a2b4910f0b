// Which files claim each contested key after a change, in the order of their claims. Reads the claims as they are
// shown, and updates their plan.
import { pathsOf } from '../files/paths.ts';
import type { ContentView } from '../rows/view.ts';
import { type ClaimStep, createSteps } from './claim-order.ts';
import {
  type Claim,
  type Claims,
  claimOf,
  isIdKey,
  type Key,
  keysOf,
  nameIn,
  type PlannedClaims,
  placeIn,
  shownFrom,
} from './claims.ts';
import type { FileNow } from './file-now.ts';

/** A key that several files claim, or claimed before. */
export interface Contest {
  /** In the order of the key. */
  before: readonly Claim[];
  after: readonly Claim[];
  step: ClaimStep;
}

export type Contests = Map<Key, Contest>;
/** Puts the files that claim a key after the change into order. */
export interface Arrange {
  (contests: Contests): Generator<undefined, ReadonlyMap<Key, readonly Claim[]>>;
  /** Whether the change is one commit on top of what is shown: keys that it does not touch then keep their order. */
  isOneStep?: boolean;
}

type FilesByPath = ReadonlyMap<string, FileNow>;

interface ArrangeParts {
  claims: Claims;
  view: ContentView;
  planned: PlannedClaims;
  /** Files of the change that claim a contested key, or did. */
  files: ReadonlySet<FileNow>;
  /** All files of the change. */
  now: FilesByPath;
  /** Gets every key that the lists depend on. */
  keys: Set<Key>;
  arrange: Arrange;
}

/** The lists of all keys that are contested, or were before. */
export function* arrangeClaims(parts: ArrangeParts): Generator<undefined, ReadonlyMap<Key, readonly Claim[]>> {
  const { claims, view, planned, files, now, keys, arrange } = parts;
  const steps = createSteps<Claim>();
  for (const { path, row } of files) {
    const old = claimAt(view, planned, path);
    const next = row && { path, id: row.id, oid: row.etag };
    const [was, is] = [old ? keysOf(old) : [], next ? keysOf(next) : []];
    for (const key of was) if (!is.includes(key)) steps.of(key).gone.add(path);
    for (const key of is) if (!was.includes(key)) steps.of(key).come.push(next!);
    yield undefined;
  }
  const contests: Contests = new Map();
  // Several commits that came together may change the order of keys whose files they leave as they were.
  if (!arrange.isOneStep) for (const key of claims.keys()) steps.of(key);
  for (const [key, { gone, come }] of steps) {
    keys.add(key);
    yield undefined;
    const before = membersOf(parts, key);
    // Another file of the change may have been the only one with the key.
    for (const { path } of before) if (now.has(path) && !keysNow(now, path).includes(key)) gone.add(path);
    const after = [...before.filter(({ path }) => !gone.has(path)), ...come].map((claim) => asNow(now, claim));
    if (before.length < 2 && after.length < 2) continue;
    contests.set(key, { before, after, step: { gone, come: come.map(({ path }) => path) } });
  }
  for (const { path, row } of files) if (row) planned.update({ path, id: row.id, oid: row.etag });
  return contests.size ? yield* arrange(contests) : new Map();
}

function keysNow(now: FilesByPath, path: string): Key[] {
  const row = now.get(path)?.row;
  return row ? keysOf({ path, id: row.id, oid: row.etag }) : [];
}

function asNow(now: FilesByPath, claim: Claim): Claim {
  const row = now.get(claim.path)?.row;
  return row ? { path: claim.path, id: row.id, oid: row.etag } : claim;
}

function membersOf({ claims, view, planned }: ArrangeParts, key: Key): Claim[] {
  const list = claims.list(key);
  if (list) return list.map((path) => claims.of(path)!);
  const name = nameIn(key);
  if (!isIdKey(key)) return pathsOf(placeIn(name)).flatMap((path) => claimAt(view, planned, path) ?? []);
  const row = view.byId(name);
  // A file that waits for its slug is not shown, but claims its id.
  return row ? [claimOf(row)] : claims.withId(name);
}

/** The claim of a file: as planned, or as its row is shown. */
export function claimAt(view: ContentView, planned: PlannedClaims, path: string): Claim | undefined {
  const row = shownFrom(view, path);
  return planned.of(path) ?? (row && claimOf(row));
}
