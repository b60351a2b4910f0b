// The long part of loading external commits, done in slices between requests: reads what they changed, and plans how
// the views will show it. If other changes are shown meanwhile, part of the plan may have to be made again.

import type { Row } from '../rows/row.ts';
import { idKey, type Key, slugKey } from './claims.ts';
import type { ContestPlan } from './contests.ts';
import { createFilesNow } from './files-now.ts';
import { type LoadParts, type Prepared, planAhead } from './load.ts';
import { type CommitTree, type ReadChanges, readChanges } from './read-changes.ts';
import { followShown, lookAhead } from './shown-beside.ts';

export interface Preparation {
  /** Works for some milliseconds; returns true once everything between the two commits is prepared and may be shown. */
  step(before: CommitTree | null, after: CommitTree): boolean;
  /** Hands over what was prepared, if it was for these two commits. */
  handOver(before: CommitTree | null, after: CommitTree): Prepared | undefined;
}

const SLICE_MS = 8;
/** After that the plan is made when it is shown: the contested documents themselves keep changing. */
const MAX_PLANS = 3;

interface Work {
  before: CommitTree | null;
  after: CommitTree;
  steps: Generator<undefined, Prepared>;
  done?: Prepared;
  end(): void;
}

export function createPreparation(parts: LoadParts): Preparation {
  const { view, claims } = parts;
  let current: Work | undefined;

  function isFor(before: CommitTree | null, after: CommitTree): boolean {
    return current?.before?.commit === before?.commit && current?.after.commit === after.commit;
  }

  function begin(before: CommitTree | null, after: CommitTree): Work {
    const files = createFilesNow();
    let keys = new Set<Key>();
    let isMet = false;
    let version = 0;
    const restsOn = (row: Row): boolean => keys.has(slugKey(row)) || keys.has(idKey(row.id));
    const end = followShown(view, files, (row, isNear) => {
      isMet ||= isNear || restsOn(row);
    });
    const isStale = (): boolean => isMet || version !== claims.version;
    return { before, after, steps: prepare(), end };

    function* prepare(): Generator<undefined, Prepared> {
      const read: ReadChanges = yield* readChanges(parts, before, after, files);
      let contests: ContestPlan | undefined;
      for (let plans = 0; plans < MAX_PLANS; plans++) {
        yield* lookAhead(view, files);
        [keys, isMet, version] = [new Set(), false, claims.version];
        contests = yield* planAhead(parts, read, before, after, keys);
        if (!isStale()) break;
      }
      return {
        ...read,
        get contests() {
          return isStale() ? undefined : contests;
        },
      };
    }
  }

  function end(): void {
    current?.end();
    current = undefined;
  }

  return {
    step(before, after) {
      if (!isFor(before, after)) {
        end();
        current = begin(before, after);
      }
      const work = current!;
      const startMs = performance.now();
      try {
        while (!work.done) {
          const { done, value } = work.steps.next();
          if (done) work.done = value;
          else if (performance.now() - startMs > SLICE_MS) return false;
        }
        // After a long step the caller shows everything in a later turn.
        return performance.now() - startMs <= SLICE_MS / 2;
      } catch (error) {
        end();
        throw error;
      }
    },
    handOver(before, after) {
      const prepared = isFor(before, after) ? current?.done : undefined;
      end();
      return prepared;
    },
  };
}
