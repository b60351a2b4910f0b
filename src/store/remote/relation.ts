// How the remote's commit relates to ours, and which of our commits a fetch names to the host. Only reads the
// repository.
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';
import { compareHistories, listNewObjects } from './histories.ts';

/** How the remote's commit relates to ours. */
export interface Relation {
  /** How many commits only ours has, and how many only the remote's has. */
  ahead: number;
  behind: number;
  /** The commit where the two part; null if they have none in common. */
  base: Oid | null;
  /** Whether the remote still has the commit at which it was last seen. */
  hasSeen: boolean;
  /** When the oldest commit that the remote lacks was made, in seconds. */
  aheadSince: number | undefined;
  /** A fetched pack that is still guarded against a repack: to be released once a ref reaches it. */
  pack: string | undefined;
}

/** How many of our commits are named, so that the host finds one that it has. */
const HAVES = 64;

export function relate(odb: Odb, theirs: Oid | null, ours: Oid | null, seen: Oid | null): Omit<Relation, 'pack'> {
  const { ahead, behind, base } = compareHistories(odb, ours, theirs);
  // Nothing may build on a commit that leads to missing objects.
  for (const { oid, type } of listNewObjects(odb, behind.toReversed())) {
    if (type === 'blob' && !odb.has(oid)) throw new Error(`object ${oid} is missing`);
  }
  const oldest = ahead.at(-1);
  return {
    ahead: ahead.length,
    behind: behind.length,
    base,
    hasSeen: seen === null || seen === theirs || (theirs !== null && contains(odb, theirs, seen)),
    aheadSince: oldest === undefined ? undefined : parseCommit(odb.get(oldest, 'commit')).committedAt,
  };
}

function contains(odb: Odb, theirs: Oid, seen: Oid): boolean {
  return odb.has(seen) && compareHistories(odb, seen, theirs).ahead.length === 0;
}

/** Our commit, its nearest ancestors, then others in ever wider steps; and what the host had when it was last seen. */
export function listHaves(odb: Odb, ours: Oid | null, seen: Oid | null): Oid[] {
  const haves = new Set<Oid>(seen && odb.has(seen) ? [seen] : []);
  let at = ours ?? undefined;
  for (let i = 0, next = 0; at && haves.size < HAVES && i < 4096; i++) {
    if (i >= next) {
      haves.add(at);
      next = i < 16 ? i + 1 : i * 2;
    }
    at = parseCommit(odb.get(at, 'commit')).parents[0];
  }
  return [...haves];
}
