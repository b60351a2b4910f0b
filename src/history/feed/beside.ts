// Commits that the log once had and that are beside its line now: at a merge an index that was lost, and made anew, may go
// through the other parent. Says how much of the line somebody has seen who has seen such a commit, so that they miss
// nothing; what they are told twice does no harm.
import { readDocument } from '../../content/from-git/other-files.ts';
import type { Breathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { Following } from '../following.ts';
import type { LogIndex } from '../log-index.ts';
import { mediaId, readMediaChanges } from '../media-changes.ts';
import { readFiles } from '../tree-changes.ts';

export interface BesideParts {
  odb: Odb;
  index: LogIndex;
  following: Pick<Following, 'record' | 'hasRecord' | 'readBlob'>;
  /** Shared by all who ask at once. */
  breathe: Breathe;
}

export interface Beside {
  /**
   * How many commits of the line somebody has seen who has seen this commit, which left the line behind `position` (-1:
   * it never was on it). Undefined if the newest commit does not come from it, or nothing on the line tells them of
   * something that they have seen.
   */
  seenWith(commit: Oid, position: number): Promise<number | undefined>;
}

/** Anybody may ask for any commit: so many are read, to the line and from there to the merge each. */
export const MAX_BESIDE = 10_000;

export function createBeside({ odb, index, following, breathe }: BesideParts): Beside {
  /** Whether a commit of the line behind `position` merged it, or what came of it. */
  async function isMerged(wanted: Oid, position: number): Promise<boolean> {
    const met = new Set<Oid>();
    let reads = 0;
    for (let at = position + 1; at < index.size; at++) {
      const open = [index.commitAt(at)];
      for (let commit = open.pop(); commit; commit = open.pop()) {
        await breathe();
        if (++reads > MAX_BESIDE) return false;
        if (!following.hasRecord(commit)) continue;
        for (const parent of following.record(commit).parents) {
          if (parent === wanted) return true;
          if (met.has(parent) || index.positionOf(parent) >= 0) continue;
          met.add(parent);
          open.push(parent);
        }
      }
    }
    return false;
  }

  /** What differs between the two trees, as the index knows it: ids to whether `after` has it. */
  async function readDifferent(before: Oid | null, after: Oid): Promise<Map<string, boolean>> {
    const [was, is] = [new Map<string, Oid>(), new Map<string, Oid>()];
    for (const { place, ...sides } of await readFiles({ odb, breathe }, before, after)) {
      for (const [blob, ids] of [
        [sides.before, was],
        [sides.after, is],
      ] as const) {
        await breathe();
        const doc = blob && readDocument(() => following.readBlob(blob), place);
        if (doc && typeof doc === 'object') ids.set(doc.id, blob);
      }
    }
    const different = new Map<string, boolean>();
    for (const id of [...was.keys(), ...is.keys()]) if (was.get(id) !== is.get(id)) different.set(id, is.has(id));
    for (const { event, slug } of await readMediaChanges({ odb, breathe }, before, after)) {
      different.set(mediaId(slug), event !== 'media.deleted');
    }
    return different;
  }

  return {
    async seenWith(commit, position) {
      const line = position < 0 ? null : following.record(index.commitAt(position)).tree;
      if (!(await isMerged(commit, position))) return undefined;
      let seen = position + 1;
      // The merge may have left out what was seen: then the line's last word on it is further back.
      for (const [id, wasSeen] of await readDifferent(line, following.record(commit).tree)) {
        await breathe();
        const document = index.findDocument(id);
        if (document >= 0) seen = Math.min(seen, index.positionOfChange(index.lastChangeOf(document)));
        else if (wasSeen) return undefined;
      }
      return seen;
    },
  };
}
