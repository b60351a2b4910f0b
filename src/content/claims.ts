// Which file holds an id or a slug that several files of the repository have: a document that somebody copied with its
// id, or put flat and into a shard. The file that had it first in the log holds it, the others wait and are left alone.
// Only what several files claim is kept here; everything else is in the view. How the order follows from the log is in
// claim-order.ts.
import type { Oid } from '../store/objects.ts';
import { isSharded, otherPath, parsePath, pathOf } from './stored.ts';
import type { ContentView, Row } from './view.ts';

/** A file that is a valid document, shown or not. */
export interface Claim {
  path: string;
  id: string;
  oid: Oid;
}

/** What only one file can hold: `id a1B2c3D4e5F6`, `slug posts/hello`. */
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

export type Place = { collection: string; slug: string };

export function placeIn(name: string): Place {
  const slash = name.indexOf('/');
  return { collection: name.slice(0, slash), slug: name.slice(slash + 1) };
}

/** In both layouts. */
export function pathsOf(place: Place): string[] {
  return [pathOf(place, false), pathOf(place, true)];
}

export function keysOf({ path, id }: Claim): Key[] {
  return [idKey(id), slugKey(parsePath(path)!)];
}

export interface Claims {
  readonly isEmpty: boolean;
  /** Paths of the files that claim it, two or more, the one that holds it first; undefined if nobody contests it. */
  list(key: Key): readonly string[] | undefined;
  keys(): Iterable<Key>;
  /** Some of its files are contested; undefined for every other file. */
  of(path: string): Claim | undefined;
  /** Those with an id. */
  withId(id: string): Claim[];
  /** Replaces a list; fewer than two claims are no contest. */
  set(key: Key, claims: readonly Claim[]): void;
  /** A contested file has another content, or another id, now. */
  update(claim: Claim): void;
  save(): SavedClaims;
  adopt(saved: SavedClaims): void;
}

export type SavedClaims = [Key, Claim[]][];

export function createClaims(): Claims {
  const lists = new Map<Key, string[]>();
  const files = new Map<string, { claim: Claim; uses: number }>();
  /** Paths of the files above. */
  const byId = new Map<string, Set<string>>();

  function note({ id, path }: Claim): void {
    const paths = byId.get(id);
    if (paths) paths.add(path);
    else byId.set(id, new Set([path]));
  }

  function forget({ id, path }: Claim): void {
    const paths = byId.get(id);
    paths?.delete(path);
    if (paths?.size === 0) byId.delete(id);
  }

  function hold(claim: Claim, uses: number): void {
    const known = files.get(claim.path)?.claim;
    if (known) forget(known);
    note(claim);
    files.set(claim.path, { claim, uses });
  }

  function release(path: string): void {
    const file = files.get(path);
    if (!file || --file.uses > 0) return;
    forget(file.claim);
    files.delete(path);
  }

  function set(key: Key, claims: readonly Claim[]): void {
    const kept = claims.length > 1 ? claims : [];
    for (const claim of kept) hold(claim, (files.get(claim.path)?.uses ?? 0) + 1);
    for (const path of lists.get(key) ?? []) release(path);
    const paths = kept.map(({ path }) => path);
    if (paths.length) lists.set(key, paths);
    else lists.delete(key);
  }

  return {
    get isEmpty() {
      return lists.size === 0;
    },
    list: (key) => lists.get(key),
    keys: () => lists.keys(),
    of: (path) => files.get(path)?.claim,
    withId: (id) => [...(byId.get(id) ?? [])].map((path) => files.get(path)!.claim),
    set,
    update(claim) {
      const file = files.get(claim.path);
      if (file) hold(claim, file.uses);
    },
    save: () => [...lists].map(([key, paths]) => [key, paths.map((path) => files.get(path)!.claim)]),
    adopt(saved) {
      for (const [key, claims] of saved) set(key, claims);
    },
  };
}

/** The file that the row is shown from. */
export function claimOf(row: Row): Claim {
  return { path: pathOf(row, row.isSharded), id: row.id, oid: row.etag };
}

/** The document that is shown from this file. */
export function shownFrom(view: ContentView, path: string): Row | undefined {
  const place = parsePath(path);
  const row = place && view.bySlug(place.collection, place.slug);
  return row?.isSharded === isSharded(path) ? row : undefined;
}

/** Whether it is the one of its slug that has its id. */
function holdsId(claims: Claims, { path, id }: Claim): boolean {
  const list = claims.list(idKey(id));
  return !list || list[0] === path;
}

/** Of the files of one slug the one that is shown, if any: the first that holds its id. */
export function chooseOf(claims: Claims, candidates: readonly Claim[]): Claim | undefined {
  return candidates.find((claim) => holdsId(claims, claim));
}

/** Why a file waits that is not shown. */
export function waitingProblem(claims: Claims, claim: Claim): string {
  if (holdsId(claims, claim)) return `slug is already that of ${otherPath(claim.path)}`;
  return `id ${claim.id} is already that of ${claims.list(idKey(claim.id))![0]}`;
}
