// The checker: checks the epochs of a run, one after another. Pure; from one epoch to the next it keeps only the
// documents as the log left them, so a run may be as long as it likes.
import { checkFeed } from './check-feed.ts';
import { checkReads, checkRefusals } from './check-reads.ts';
import { type Documents, type Folded, foldLog, isWrite, type State } from './fold-log.ts';
import type { Epoch, FailedClone, Place, Violation } from './history.ts';

export interface Checker {
  /** The documents after the last epoch, by place. */
  readonly documents: ReadonlyMap<Place, State>;
  check(epoch: Epoch): Violation[];
}

/**
 * `lagMs`: how far git may be behind an answer, and the service behind a push. `documents`: those that existed before
 * the first epoch.
 */
export function createChecker(options: { lagMs?: number; documents?: Documents } = {}): Checker {
  const { lagMs = 1000, documents = new Map() } = options;
  return {
    documents,
    check(epoch) {
      const folded = foldLog(epoch, documents, lagMs);
      return [
        ...folded.violations,
        ...checkReads(epoch, folded),
        ...checkRefusals(epoch, folded),
        ...checkLooks(epoch, folded, lagMs),
        ...checkClones(epoch),
        ...checkFeed(epoch),
      ];
    },
  };
}

/** Git has every answered write after the lag, if the service served all that time. */
function checkLooks(epoch: Epoch, { positionOf }: Folded, lagMs: number): Violation[] {
  const places = new Map(epoch.commits.map(({ id }, position) => [id, position]));
  places.set(epoch.base, -1);
  const violations: Violation[] = [];
  for (const { head, startedAtMs, upSinceMs, isServed } of epoch.looks) {
    const position = places.get(head);
    if (position === undefined) {
      violations.push({ rule: 'late-in-git', message: `${head} was looked at and is not in the log`, about: [head] });
      continue;
    }
    for (const operation of epoch.operations) {
      const { id, outcome, completedAtMs } = operation;
      const isDue = completedAtMs < startedAtMs - (isServed ? 0 : lagMs) && completedAtMs > upSinceMs;
      if (!isDue || !isWrite(operation) || outcome.kind !== 'ok') continue;
      if ((positionOf.get(id) ?? -1) <= position) continue;
      const lateMs = Math.round(startedAtMs - completedAtMs);
      violations.push({ rule: 'late-in-git', message: `${id} was not in git ${lateMs} ms later`, about: [id, head] });
      break;
    }
  }
  return violations;
}

/** A clone by path never fails; a clone from the service may fail if the service was killed meanwhile, or hindered. */
function checkClones({ failedClones = [] }: Epoch): Violation[] {
  const wasClear = ({ upSinceMs, stillUpSinceMs }: FailedClone): boolean =>
    Number.isFinite(upSinceMs) && upSinceMs === stillUpSinceMs;
  const bad = failedClones.filter((clone) => !clone.isServed || wasClear(clone));
  return bad.map(({ message }) => ({ rule: 'git', message, about: [] }));
}
