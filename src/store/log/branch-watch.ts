// Checks whether another process moved the branch: two stats if nothing happened. After a force-push the answer takes
// the whole history, so it is worked out in slices. Must not move anything.

import type { Oid } from '../git/objects.ts';
import { type AncestorSearch, createAncestorSearch } from '../repository/ancestry.ts';
import type { Odb } from '../repository/odb.ts';
import type { Branch } from '../repository/refs.ts';

/** `ahead`: external commits on top of ours. `away`: the branch does not contain ours any more. */
export type Sighting =
  | { kind: 'ours' | 'searching' }
  | { kind: 'ahead'; theirs: Oid }
  | { kind: 'away'; theirs: Oid | null };

export interface BranchWatch {
  /** Returns undefined if the branch has not changed since the last completed look. */
  look(ours: Oid | null): Sighting | undefined;
  /** Makes the next look read the branch, whatever its file's times say. */
  forget(): void;
}

/** Commits that a look reads before the event loop gets its turn. */
const SEARCH_SLICE = 1000;

export function createBranchWatch({ branch, odb }: { branch: Branch; odb: Odb }): BranchWatch {
  let stamp = '';
  let search: AncestorSearch | undefined;

  /** Whether the branch contains ours; undefined while that is not known yet. */
  function contains(ours: Oid | null, theirs: Oid): boolean | undefined {
    if (!ours) return true;
    if (search?.ancestor !== ours || search.from !== theirs) {
      odb.refresh();
      search = createAncestorSearch(odb, ours, theirs);
    }
    return search.step(SEARCH_SLICE);
  }

  return {
    look(ours) {
      const seen = branch.stamp();
      if (seen === stamp) return undefined;
      try {
        const theirs = branch.read();
        const isContained = theirs === ours ? true : theirs ? contains(ours, theirs) : false;
        if (isContained === undefined) return { kind: 'searching' };
        stamp = seen;
        if (theirs === ours) return { kind: 'ours' };
        return isContained ? { kind: 'ahead', theirs: theirs! } : { kind: 'away', theirs };
      } catch (error) {
        // Another process may still be writing there: the next look begins again.
        search = undefined;
        stamp = '';
        throw error;
      }
    },
    forget() {
      stamp = '';
    },
  };
}
