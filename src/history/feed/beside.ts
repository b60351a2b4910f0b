// Commits that were once in the log and are beside its line now: an index that was lost and rebuilt may go through the
// other parent at a merge. Computes how much of the line a reader of such a commit has seen, so that the reader misses
// nothing; reporting a change twice does no harm.

import { originIn } from '../../content/from-git/origins.ts';
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
  /** Shared by concurrent callers. */
  breathe: Breathe;
}

export interface Beside {
  /**
   * How many commits of the line a reader of this commit has seen. `position` is where the commit's history leaves the
   * line (-1: it shares no commit with it). Undefined if the newest commit does not descend from this one, or if the
   * line never mentions a document that the reader has seen.
   */
  seenWith(commit: Oid, position: number): Promise<number | undefined>;
}

/**
 * A client may name any commit: at most this many are read on the way to the line, and again from there to the merge.
 */
export const MAX_BESIDE = 10_000;

export function createBeside({ odb, index, following, breathe }: BesideParts): Beside {
  /** Whether a commit of the line after `position` merged the wanted commit or a descendant of it. */
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

  /** The documents and media that differ between two trees: from the id to whether `after` has it. */
  async function readDifferent(before: Oid | null, after: Oid): Promise<Map<string, boolean>> {
    const [was, is] = [new Map<string, Oid>(), new Map<string, Oid>()];
    for (const { path, ...sides } of await readFiles({ odb, breathe }, before, after)) {
      for (const [blob, ids] of [
        [sides.before, was],
        [sides.after, is],
      ] as const) {
        await breathe();
        const doc =
          blob && readDocument(() => following.readBlob(blob), path, { originOf: () => originIn('', path, 0) });
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
      // The merge may have dropped a change that the reader has seen: then the line's last change of it is further
      // back.
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
