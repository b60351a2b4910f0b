// Brings back the idempotency keys of the last 24 hours from the commits' trailers, in slices, so that a start does not
// wait for it; only requests that carry a key do.
import { type Oid, parseCommit, parseTrailers } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { diffTrees } from '../store/tree-walk.ts';
import { type IdempotencyKeys, parseTrailer, REMEMBERED_MS, type RememberedAnswer } from './idempotency.ts';

const SLICE_COMMITS = 200;

/** Ends early once `isStopped`: a site that closes does not let anybody read its packs any more. */
export async function rememberRecentKeys(
  keys: IdempotencyKeys,
  odb: Odb,
  head: Oid | null,
  now: Date,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const oldest = (now.getTime() - REMEMBERED_MS) / 1000;
  const found: { scope: string; answer: RememberedAnswer }[] = [];
  let commit = head;
  for (let count = 1; commit; count++) {
    if (count % SLICE_COMMITS === 1) await new Promise((resume) => setImmediate(resume));
    if (isStopped()) return;
    const { tree, parents, message, authoredAt } = parseCommit(odb.get(commit, 'commit'));
    if (authoredAt < oldest) break;
    const trailers = parseTrailers(message);
    const key = parseTrailer(trailers.get('Idempotency-Key') ?? '');
    const blob = key && createdBlob(odb, parents[0], tree);
    if (key && blob) found.push({ scope: key.scope, answer: { ...key, blob, commit, atMs: authoredAt * 1000 } });
    commit = parents[0] ?? null;
  }
  for (const { scope, answer } of found.reverse()) keys.remember(scope, answer);
}

/** The document that a creation added (its source may have changed with it). */
function createdBlob(odb: Odb, parent: Oid | undefined, tree: Oid): Oid | undefined {
  const before = parent ? parseCommit(odb.get(parent, 'commit')).tree : null;
  for (const change of diffTrees(odb, before, tree)) if (!change.before && change.after) return change.after;
  return undefined;
}
