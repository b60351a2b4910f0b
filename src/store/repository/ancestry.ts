// Is one commit among the ancestors of another? Asked in slices: after a force-push the answer takes the whole history.
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';

export interface AncestorSearch {
  readonly ancestor: Oid;
  readonly from: Oid;
  /** Looks at so many commits more; undefined where that did not settle it. Later calls answer at once. */
  step(commits: number): boolean | undefined;
}

/** Looks at each commit once, nearest first. */
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
