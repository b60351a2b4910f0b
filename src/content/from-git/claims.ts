// Which file holds an id or a slug that several files of the repository claim: a document that was copied with its id,
// or is both flat and in a shard. The file that had it first in the log holds it; the others wait and are left alone.
// Only contested keys are kept here; everything else is in the view. claim-order.ts derives the order from the log.
import type { Oid } from '../../store/git/objects.ts';
import { layoutOf, parsePath, pathOf } from '../files/paths.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';

/** A file that is a valid document, shown or not. */
export interface Claim {
  path: string;
  id: string;
  oid: Oid;
}

/** An id or slug, which only one file can hold: `id a1B2c3D4e5F6`, `slug posts/hello`. */
export type Key = string;

export function idKey(id: string): Key {
  return `id ${id}`;
}

export function slugKey({ collection, slug }: { collection: string; slug: string }): Key {
  return `slug ${collection}/${slug}`;
}

export function isIdKey(key: Key): boolean {
  return key.startsWith('id ');
}

/** The id, or the collection and slug. */
export function nameIn(key: Key): string {
  return key.slice(key.indexOf(' ') + 1);
}

export type ClaimedPlace = { collection: string; slug: string };

export function placeIn(name: string): ClaimedPlace {
  const slash = name.indexOf('/');
  return { collection: name.slice(0, slash), slug: name.slice(slash + 1) };
}

export function keysOf({ path, id }: Claim): Key[] {
  return [idKey(id), slugKey(parsePath(path)!)];
}

export interface Claims {
  readonly isEmpty: boolean;
  /** A counter that goes up with every change of the claims. */
  readonly version: number;
  /** Paths of the two or more files that claim the key, its holder first; undefined if it is not contested. */
  list(key: Key): readonly string[] | undefined;
  keys(): Iterable<Key>;
  /** The claim of a file that contests a key; undefined for every other file. */
  of(path: string): Claim | undefined;
  /** The claims of contesting files with this id. */
  withId(id: string): Claim[];
  /** Replaces a list; with fewer than two claims the key is not contested. */
  set(key: Key, claims: readonly Claim[]): void;
  /** Notes that a contested file has another content, or another id. */
  update(claim: Claim): void;
  save(): SavedClaims;
  adopt(saved: SavedClaims): void;
}

export type SavedClaims = [Key, Claim[]][];

const NO_PATHS: readonly string[] = [];

export function createClaims(): Claims {
  const lists = new Map<Key, readonly string[]>();
  const files = new Map<string, { claim: Claim; uses: number }>();
  /** Paths of the files above. */
  const byId = new Map<string, string[]>();
  let version = 0;

  function note({ id, path }: Claim): void {
    const paths = byId.get(id);
    if (paths) paths.push(path);
    else byId.set(id, [path]);
  }

  function forget({ id, path }: Claim): void {
    const paths = byId.get(id)!;
    if (paths.length > 1) paths.splice(paths.indexOf(path), 1);
    else byId.delete(id);
  }

  /** Replaces the claim of a file. */
  function renew(file: { claim: Claim }, claim: Claim): void {
    if (file.claim.id !== claim.id) {
      forget(file.claim);
      note(claim);
    }
    file.claim = claim;
  }

  function hold(claim: Claim): void {
    const file = files.get(claim.path);
    if (file) {
      renew(file, claim);
      file.uses++;
    } else {
      note(claim);
      files.set(claim.path, { claim, uses: 1 });
    }
  }

  function release(path: string): void {
    const file = files.get(path);
    if (!file || --file.uses > 0) return;
    forget(file.claim);
    files.delete(path);
  }

  function set(key: Key, claims: readonly Claim[]): void {
    version++;
    const old = lists.get(key) ?? NO_PATHS;
    const paths = claims.length > 1 ? claims.map(({ path }) => path) : NO_PATHS;
    if (paths.length) for (const claim of claims) hold(claim);
    for (const path of old) release(path);
    if (paths.length) lists.set(key, paths);
    else if (old.length) lists.delete(key);
  }

  return {
    get isEmpty() {
      return lists.size === 0;
    },
    get version() {
      return version;
    },
    list: (key) => lists.get(key),
    keys: () => lists.keys(),
    of: (path) => files.get(path)?.claim,
    withId: (id) => (byId.get(id) ?? NO_PATHS).map((path) => files.get(path)!.claim),
    set,
    update(claim) {
      const file = files.get(claim.path);
      if (!file) return;
      version++;
      renew(file, claim);
    },
    save: () => [...lists].map(([key, paths]) => [key, paths.map((path) => files.get(path)!.claim)]),
    adopt(saved) {
      for (const [key, claims] of saved) set(key, claims);
    },
  };
}

/** Claims as a change will leave them, worked out before it is shown. */
export interface PlannedClaims extends Pick<Claims, 'list' | 'of' | 'set' | 'update'> {
  /** Applies the plan to the claims that it was made from. */
  apply(): void;
}

export function planClaims(claims: Claims): PlannedClaims {
  const lists = new Map<Key, { claims: readonly Claim[]; paths: readonly string[] | undefined }>();
  const files = new Map<string, Claim>();
  const updates: Claim[] = [];
  return {
    list(key) {
      const planned = lists.get(key);
      return planned ? planned.paths : claims.list(key);
    },
    of: (path) => files.get(path) ?? claims.of(path),
    set(key, list) {
      const isContest = list.length > 1;
      if (!isContest && !claims.list(key)) return;
      lists.set(key, { claims: list, paths: isContest ? list.map(({ path }) => path) : undefined });
      if (isContest) for (const claim of list) files.set(claim.path, claim);
    },
    update(claim) {
      if (!claims.of(claim.path)) return;
      updates.push(claim);
      files.set(claim.path, claim);
    },
    apply() {
      for (const claim of updates) claims.update(claim);
      for (const [key, planned] of lists) claims.set(key, planned.claims);
    },
  };
}

/** The claim of the file that the row is shown from. */
export function claimOf(row: Row): Claim {
  return { path: pathOf(row, row.layout), id: row.id, oid: row.etag };
}

/** The row that is shown from this file. */
export function shownFrom(view: ContentView, path: string): Row | undefined {
  const place = parsePath(path);
  const row = place && view.bySlug(place.collection, place.slug);
  return row?.layout === layoutOf(path) ? row : undefined;
}

type ClaimLists = Pick<Claims, 'list'>;

/** Whether the file holds its id. */
function holdsId(claims: ClaimLists, { path, id }: Claim): boolean {
  const list = claims.list(idKey(id));
  return !list || list[0] === path;
}

/** Chooses which of the files with one slug is shown, if any: the first one that holds its id. */
export function chooseOf(claims: ClaimLists, candidates: readonly Claim[]): Claim | undefined {
  return candidates.find((claim) => holdsId(claims, claim));
}

/** The reason why a file waits; `shown` is the one that is shown in its place, if any. */
export function waitingProblem(claims: ClaimLists, claim: Claim, shown: Claim | undefined): string {
  if (shown && holdsId(claims, claim)) return `slug already belongs to ${shown.path}`;
  return `id "${claim.id}" already belongs to ${claims.list(idKey(claim.id))![0]}`;
}
