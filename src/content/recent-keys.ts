// Brings back the idempotency keys of the last 24 hours from the commits' trailers, in slices, so that a start does not
// wait for it; only requests that carry a key do.
import { type Oid, oidOf, parseCommit, parseTrailers } from '../store/objects.ts';
import type { FileChange } from '../store/tree-set.ts';
import {
  type IdempotencyKeys,
  parseTrailer,
  REMEMBERED_MS,
  type RememberedAnswer,
  type RequestKey,
} from './idempotency.ts';
import { parseFile, parsePath, toBody } from './stored.ts';

const SLICE_COMMITS = 200;
/** A history that others have made is not read to its beginning. */
const MAX_OLD_OF_OTHERS = 5000;

/** A change that the write-ahead log holds and the branch does not yet. */
export interface RecentCommit {
  /** The commit object. */
  body: Buffer;
  files: readonly FileChange[];
}

export interface RecentParts {
  head: Oid | null;
  /** Whether the service made a commit: nobody else's word on an answer counts. */
  isOwn(commit: Oid, body: Buffer): boolean;
  /** The body of a commit. */
  read(commit: Oid): Buffer;
  recovered: readonly RecentCommit[];
  now: Date;
  /** Ends early: a site that closes does not let anybody read its packs any more. */
  isStopped?: () => boolean;
}

type Found = RequestKey & { answer: RememberedAnswer };

export async function rememberRecentKeys(keys: IdempotencyKeys, parts: RecentParts): Promise<void> {
  const { head, isOwn, read, recovered, now, isStopped = () => false } = parts;
  const found: Found[] = [];
  for (const { body, files } of recovered) {
    const key = findKey(oidOf('commit', body), body);
    const answered = key && createdBody(files, key.answer.blob);
    if (key && answered) found.push({ ...key, answer: { ...key.answer, body: answered } });
  }
  // By the committer's date: an author may have written long before somebody pushed it on top of ours. Other people's
  // clocks say any time, so below an old commit of theirs there may be young ones of ours.
  let theirs = MAX_OLD_OF_OTHERS;
  const oldest = (now.getTime() - REMEMBERED_MS) / 1000;
  const seen = new Set<Oid>(head ? [head] : []);
  let count = 0;
  for (const commit of seen) {
    if (count++ % SLICE_COMMITS === 0) await new Promise((resume) => setImmediate(resume));
    if (isStopped()) return;
    const body = read(commit);
    const { parents, committedAt } = parseCommit(body);
    const isOurs = isOwn(commit, body);
    if (committedAt < oldest && (isOurs || --theirs < 0)) continue;
    const key = isOurs ? findKey(commit, body) : undefined;
    if (key) found.push(key);
    for (const parent of parents) seen.add(parent);
  }
  found.sort((a, b) => a.answer.atMs - b.answer.atMs);
  for (const { answer, ...key } of found) keys.remember(key, answer);
}

function findKey(commit: Oid, body: Buffer): Found | undefined {
  const { message, committedAt } = parseCommit(body);
  const key = parseTrailer(parseTrailers(message).get('Idempotency-Key') ?? '');
  return key && { ...key, answer: { blob: key.blob, commit, atMs: committedAt * 1000 } };
}

/** The answer that the creation gave: its blob is in no pack yet. */
function createdBody(files: readonly FileChange[], blob: Oid): Buffer | undefined {
  for (const { path, content } of files) {
    const place = parsePath(path);
    if (!place || !content || oidOf('blob', content) !== blob) continue;
    const doc = parseFile(content, place);
    if (typeof doc !== 'string') return toBody(doc);
  }
  return undefined;
}
