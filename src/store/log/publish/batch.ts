// One step of the publish loop: picks up external commits from the branch, puts a batch of durable changes on it, and
// releases them from the write-ahead log. Decides what a failure means: another try, refused writes, or the end.
import { ServiceError, toStorageError } from '../../../lib/errors.ts';
import { isNoSpace, isShortage } from '../../../lib/shortage.ts';
import { PACKER_DIED } from '../../packs/packer-thread.ts';
import type { Branch } from '../../repository/refs.ts';
import type { Acknowledger } from '../acknowledge.ts';
import type { ExternalCommits } from '../external-commits.ts';
import type { FlushWaiters } from '../flush-waiters.ts';
import { basesBefore, type LogState, WAITING_COMMITS, waitingCount, waitingIn } from '../log-state.ts';
import { type Refusals, toLockedRefusal } from '../refusals.ts';
import type { Wal } from '../wal/wal.ts';
import type { PublishPace } from './pace.ts';
import type { Publisher } from './publisher.ts';

export interface PublishBatch {
  /** Resolves with how long to wait before the next try; undefined leaves that to the pace. */
  publish(): Promise<number | undefined>;
  /** The branch has the first `count` of the durable changes. */
  onPublished(count: number): void;
}

export interface PublishBatchParts {
  branch: Pick<Branch, 'lockFile'>;
  publisher: Publisher;
  wal: Pick<Wal, 'release'>;
  external: Pick<ExternalCommits, 'readBranch' | 'lookAgain' | 'refuse'>;
  acknowledger: Pick<Acknowledger, 'writeFrame'>;
  refusals: Refusals;
  waiters: FlushWaiters;
  pace: Pick<PublishPace, 'notePublished'>;
  /** See LogParts. */
  lockPatienceMs?: number | undefined;
  freeSpace?: (() => void) | undefined;
  warn(message: string, error?: unknown): void;
}

const RETRY_MS = 300;
const LOCKED_RETRY_MS = 50;
const LOCK_PATIENCE_MS = 5000;
const PACKER_DEATHS = 3;

export function createPublishBatch(state: LogState, parts: PublishBatchParts): PublishBatch {
  const { external, acknowledger, refusals, waiters, lockPatienceMs = LOCK_PATIENCE_MS } = parts;
  let packerDeaths = 0;

  async function publish(): Promise<number | undefined> {
    if (!external.readBranch()) return undefined;
    if (state.replants !== state.writtenReplants) {
      // The branch never gets changes that the write-ahead log has only as other commits.
      acknowledger.writeFrame();
      return undefined;
    }
    if (state.durable.length === 0) {
      refusals.full = undefined;
      return undefined;
    }
    state.batch ??= state.durable.slice(0, WAITING_COMMITS);
    const outcome = await parts.publisher.publish(state.batch, state.gitHead, (directories) =>
      basesBefore(waitingIn(state), state.tree, directories),
    );
    if (outcome === 'locked') return waitForLock();
    state.lockedSince = undefined;
    if (outcome === 'changed') {
      // An external commit was faster; ours are replayed on it and packed again.
      external.lookAgain();
      external.readBranch();
      return undefined;
    }
    packerDeaths = 0;
    parts.pace.notePublished();
    refusals.full = undefined;
    external.lookAgain(); // another process may have moved it further since
    onPublished(state.batch.length);
    return undefined;
  }

  function onPublished(count: number): void {
    const published = state.durable.splice(0, count);
    const last = published.at(-1)!;
    for (const { sizeBytes } of published) state.heldBytes -= sizeBytes;
    state.gitHead = last.entry.commit;
    state.batch = undefined;
    parts.wal
      .release(last.sequence)
      .catch((error: unknown) => refusals.poison(error, 'write-ahead log cannot be written'));
    // An empty frame records that everything is in git.
    if (waitingCount(state) === 0 && !state.isClosing) acknowledger.writeFrame();
  }

  function waitForLock(): number {
    state.lockedSince ??= performance.now();
    if (performance.now() - state.lockedSince < lockPatienceMs) return LOCKED_RETRY_MS;
    if (waiters.count) waiters.stall(toLockedRefusal(parts.branch.lockFile));
    return LOCKED_RETRY_MS;
  }

  /**
   * Returns how long to wait before the next try; undefined if another look at the branch, or a restart, comes first.
   */
  function afterFailure(error: unknown): number | undefined {
    if (isNoSpace(error)) {
      parts.freeSpace?.();
      if (!refusals.full) parts.warn('disk is full: writes are refused until space is freed', error);
      refusals.full ??= toStorageError(error) as ServiceError;
      waiters.stall(refusals.full);
      return RETRY_MS;
    }
    const isRetryable =
      isShortage(error) || ((error as { code?: string }).code === PACKER_DIED && ++packerDeaths < PACKER_DEATHS);
    if (isRetryable) {
      parts.warn('content repository cannot be written right now; trying again', error);
      waiters.stall(
        new ServiceError('unavailable', 'content repository cannot be written right now', { cause: error }),
      );
      return RETRY_MS;
    }
    if (error instanceof ServiceError) {
      external.lookAgain();
      external.refuse(error.message);
      return undefined;
    }
    // A failure on files that belong to another process by now is not a failure of the disk.
    if (refusals.isOurs()) refusals.poison(error, 'content repository cannot be written');
    return undefined;
  }

  return { publish: () => publish().catch(afterFailure), onPublished };
}
