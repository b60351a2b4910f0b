// Finds out whether one commit is an ancestor of another, in slices: a force-push may require the whole history.
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';

export interface AncestorSearch {
  readonly ancestor: Oid;
  readonly from: Oid;
  /** Checks this many more commits. Returns undefined if the answer is still open; later calls return it at once. */
  step(commits: number): boolean | undefined;
}

/** Checks each commit once, nearest first. */
export function createAncestorSearch(odb: Odb, ancestor: Oid, from: Oid): AncestorSearch {
  const seen = new Set<Oid>([from]);
  const next = seen.values();
  let answer: boolean | undefined;
  return {
    ancestor,
    from,
    step(commits) {
      for (let count = 0; count < commits && answer === undefined; count++) {
        const { value: oid, done } = next.next();
        if (done) answer = false;
        else if (oid === ancestor) answer = true;
        else for (const parent of parseCommit(odb.get(oid, 'commit')).parents) seen.add(parent);
      }
      return answer;
    },
  };
}
