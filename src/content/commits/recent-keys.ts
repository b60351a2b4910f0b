// Reads the idempotency keys of the last 24 hours from the commits' trailers, in slices: all of them after a start,
// which does not wait for them (only requests with a key do), and a single one on demand, if it is no longer kept in
// memory.
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
/** Reading stops after this many old commits: clocks go wrong, but not for so many commits in a row. */
const MAX_OLD = 5000;

/** A change that is in the write-ahead log and not on the branch yet. */
export interface RecentCommit {
  /** The commit object. */
  body: Buffer;
}

export interface RecentParts {
  head: Oid | null;
  /** Whether the service made a commit: trailers of external commits do not count. */
  isOwn(commit: Oid, body: Buffer): boolean;
  /** The body of a commit. */
  read(commit: Oid): Buffer;
  /** Oldest first. */
  recovered: readonly RecentCommit[];
  now: Date;
  /** Returns true to end early: the packs of a site that closes cannot be read any more. */
  isStopped?: () => boolean;
}

export type FoundKey = RequestKey & {
  answer: RememberedAnswer;
  /** How long ago it was answered; 0 if the commit's clock was ahead. */
  ageMs: number;
};

/** `nowMs` is `RecentParts.now` on the clock of the keys. */
export async function rememberRecentKeys(keys: IdempotencyKeys, parts: RecentParts, nowMs: number): Promise<void> {
  for await (const { answer, ageMs, ...key } of recentKeys(parts)) keys.recall(key, answer, nowMs - ageMs);
}

/** Looks in the log for the first answers to these keys, by their scopes. */
export async function findRecentKeys(scopes: ReadonlySet<string>, parts: RecentParts): Promise<Map<string, FoundKey>> {
  const found = new Map<string, FoundKey>();
  for await (const key of recentKeys(parts)) {
    if (!scopes.has(key.scope) || found.has(key.scope)) continue;
    found.set(key.scope, key);
    if (found.size === scopes.size) break;
  }
  return found;
}

/**
 * Newest first, as far as merges have an order. A commit whose clock was behind is no older than a commit of ours below
 * it: its key is held until such a commit is found.
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
    // A commit dated ahead proves nothing about the commits on top of it.
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
  /** All commits that follow are below this one: no merge has opened another line. */
  isOnly: boolean;
}

/**
 * Uses the committer's date: the author's may be long before the commit was pushed on top of ours. Any clock may have
 * been wrong for a while, so there may be young commits below an old one.
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
