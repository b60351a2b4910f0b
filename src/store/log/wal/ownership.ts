// Whether the write-ahead log still belongs to this process. Once lost, it stays lost.
import type { Disk } from '../../disk/disk.ts';
import { type Epoch, fileIdentityOf, LogLostError } from './epoch.ts';
import { readWal } from './read.ts';

export interface Ownership {
  /** Why nothing is acknowledged any more: another process writes the log, or the log is not where it was. */
  lost(): string | undefined;
  /** For use after a failure: false if this check fails too, because the first failure is the better reason. */
  isLost(): boolean;
  /** Throws LogLostError if the log is lost. */
  guard(): void;
  /** Begins the epoch if a start on a full disk could not, unless another process has written since. */
  begin(lastSequence: number): void;
  /**
   * Runs `run`. A failure on files that belong to another process by now rejects with LogLostError: the disk is fine.
   */
  asOurs<T>(run: () => Promise<T>): Promise<T>;
}

export interface OwnershipParts {
  disk: Disk;
  folder: string;
  epoch: Epoch;
  /** Why the lock on the data folder no longer holds. */
  lockLost?: (() => string | undefined) | undefined;
  /** The segment being written, and its file's identity when it was opened. */
  written(): { segment: { file: string }; identity: string } | undefined;
}

export function createOwnership({ disk, folder, epoch, lockLost, written }: OwnershipParts): Ownership {
  let reason: string | undefined;

  function lost(): string | undefined {
    reason ??= lockLost?.() ?? epoch.lost() ?? lostSegment();
    return reason;
  }

  function lostSegment(): string | undefined {
    const current = written();
    if (!current || fileIdentityOf(disk, current.segment.file) === current.identity) return undefined;
    return `${current.segment.file} is gone or was replaced`;
  }

  function guard(): void {
    const why = lost();
    if (why) throw new LogLostError(why);
  }

  function isLost(): boolean {
    try {
      return lost() !== undefined;
    } catch {
      return false;
    }
  }

  return {
    lost,
    isLost,
    guard,
    begin(lastSequence) {
      if (epoch.number > 0) return;
      epoch.begin();
      if (readWal(disk, folder, epoch.found).lastSequence === lastSequence) return;
      reason = 'another process has written the write-ahead log';
      throw new LogLostError(reason);
    },
    async asOurs(run) {
      try {
        return await run();
      } catch (error) {
        if (isLost()) guard();
        throw error;
      }
    },
  };
}
