// Reads the idempotency keys of the last 24 hours from the commits' trailers, in slices: all of them at a start, which does
// not wait for it (only requests that carry a key do), and one that is too old to be kept in memory when it is asked for.
import { nextTurn } from '../../lib/queues/slices.ts';
import { type Oid, oidOf, parseCommit, parseReplaced, parseTrailers } from '../../store/git/objects.ts';
import {
  type IdempotencyKeys,
  parseTrailer,
  REMEMBERED_MS,
  type RememberedAnswer,
  type RequestKey,
} from './idempotency.ts';

const SLICE_COMMITS = 200;
/** A history is not read to its beginning: clocks go wrong, but not for so many commits in a row. */
const MAX_OLD = 5000;

/** A change that the write-ahead log holds and the branch does not yet. */
export interface RecentCommit {
  /** The commit object. */
  body: Buffer;
}

export interface RecentParts {
  head: Oid | null;
  /** Whether the service made a commit: nobody else's word on an answer counts. */
  isOwn(commit: Oid, body: Buffer): boolean;
  /** The body of a commit. */
  read(commit: Oid): Buffer;
  /** Oldest first. */
  recovered: readonly RecentCommit[];
  now: Date;
  /** Ends early: a site that closes does not let anybody read its packs any more. */
  isStopped?: () => boolean;
}

export type FoundKey = RequestKey & {
  answer: RememberedAnswer;
  /** How long ago it was answered; a clock that was ahead then says nothing. */
  ageMs: number;
};

/** `nowMs`: what `RecentParts.now` is on the clock of the keys. */
export async function rememberRecentKeys(keys: IdempotencyKeys, parts: RecentParts, nowMs: number): Promise<void> {
  for await (const { answer, ageMs, ...key } of recentKeys(parts)) keys.recall(key, answer, nowMs - ageMs);
}

/** The key's first answer, looked for in the log. */
export async function findRecentKey(scope: string, parts: RecentParts): Promise<FoundKey | undefined> {
  for await (const key of recentKeys(parts)) if (key.scope === scope) return key;
  return undefined;
}

/**
 * Newest first, as far as merges have an order. A commit that a clock dated back is no older than one of ours below it: its
 * key is held until such a one is met.
 */
async function* recentKeys(parts: RecentParts): AsyncGenerator<FoundKey> {
  let held: FoundKey[] = [];
  for await (const { commit, body, isOnly } of ownCommits(parts)) {
    const { message, committedAt } = parseCommit(body);
    const key = findKey(commit, message);
    const ageMs = parts.now.getTime() - committedAt * 1000;
    if (ageMs >= REMEMBERED_MS) {
      if (key && isOnly) held.push({ ...key, ageMs });
      continue;
    }
    // What is dated ahead says nothing of what stands on it.
    if (ageMs >= 0) {
      for (const above of held) yield { ...above, ageMs };
      held = [];
    }
    if (key) yield { ...key, ageMs: Math.max(0, ageMs) };
  }
}

interface OwnCommit {
  commit: Oid;
  body: Buffer;
  /** All that comes behind it is below it: no merge has opened another line. */
  isOnly: boolean;
}

/**
 * By the committer's date: an author may have written long before somebody pushed it on top of ours. Any clock may have been
 * wrong for a while, so below an old commit there may be young ones.
 */
async function* ownCommits(parts: RecentParts): AsyncGenerator<OwnCommit> {
  const { head, isOwn, read, recovered, now, isStopped = () => false } = parts;
  for (const { body } of recovered.toReversed()) yield { commit: oidOf('commit', body), body, isOnly: true };
  let old = MAX_OLD;
  const oldest = (now.getTime() - REMEMBERED_MS) / 1000;
  const seen = new Set<Oid>(head ? [head] : []);
  let count = 0;
  for (const commit of seen) {
    if (count++ % SLICE_COMMITS === 0) await nextTurn();
    if (isStopped()) return;
    const body = read(commit);
    const { parents, committedAt } = parseCommit(body);
    if (committedAt < oldest && --old < 0) continue;
    if (isOwn(commit, body)) yield { commit, body, isOnly: seen.size === count };
    for (const parent of parents) seen.add(parent);
  }
}

function findKey(commit: Oid, message: string): Omit<FoundKey, 'ageMs'> | undefined {
  const key = parseTrailer(parseTrailers(message).get('Idempotency-Key') ?? '');
  if (!key) return undefined;
  const { blob, ...request } = key;
  return { ...request, answer: { blob, commit: parseReplaced(message)[0]?.commit ?? commit } };
}
