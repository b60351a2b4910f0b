// Finds the commits below the refs of force-pushes that are changes an earlier version set aside there. The log says
// so: each has a commit without files on the branch, whose trailer names it. The rest are sides that an operator did
// not keep.
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';

/** Reading so many takes some tenths of a second, and happens only in a repository that has such refs. */
const MAX_COMMITS = 20_000;
const TRAILER = /\nSet-Aside: ([0-9a-f]{40})\n$/;
const TRAILER_BYTES = 64;

export function findKeptBefore(odb: Odb, kept: readonly Oid[], head: Oid | undefined): Set<Oid> {
  /** By its id and by its text: a change that could be kept only with its own files has another id. */
  const wanted = new Map<string, Oid>();
  for (const commit of kept) {
    wanted.set(commit, commit);
    const body = read(odb, commit);
    if (body) wanted.set(saidIn(body), commit);
  }
  const found = new Set<Oid>();
  const seen = new Set<Oid>(head && kept.length > 0 ? [head] : []);
  let count = 0;
  for (const oid of seen) {
    if (found.size === kept.length || ++count > MAX_COMMITS) break;
    const body = read(odb, oid);
    if (!body) continue;
    const [, named] = TRAILER.exec(body.toString('latin1', Math.max(0, body.length - TRAILER_BYTES))) ?? [];
    const match = named && (wanted.get(named) ?? wanted.get(saidIn(body)));
    if (match) found.add(match);
    for (const parent of parseCommit(body).parents) seen.add(parent);
  }
  return found;
}

/** Author, time and message, which are the same in both commits of one change. */
function saidIn(body: Buffer): string {
  return body.toString('latin1', body.indexOf('\nauthor ')).replace(TRAILER, '\n');
}

/** Returns undefined for an object that cannot be read: verify finds it, and a start must not fail for it. */
function read(odb: Odb, commit: Oid): Buffer | undefined {
  try {
    return odb.get(commit, 'commit');
  } catch {
    return undefined;
  }
}
