// Finds the commits that no ref of the repository reaches. Stops reading the history once it has met all of them.
import type { Breathe } from '../../lib/queues/slices.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';

/** Tips that are not commits (annotated tags) are ignored. */
export async function findUnreached(
  odb: Odb,
  tips: Iterable<Oid>,
  commits: Iterable<Oid>,
  breathe: Breathe,
): Promise<Set<Oid>> {
  const wanted = new Set(commits);
  const seen = new Set<Oid>();
  for (const tip of tips) if (odb.measure(tip)?.type === 'commit') seen.add(tip);
  for (const oid of seen) {
    wanted.delete(oid);
    if (wanted.size === 0) break;
    for (const parent of parseCommit(odb.get(oid, 'commit')).parents) seen.add(parent);
    await breathe();
  }
  return wanted;
}
