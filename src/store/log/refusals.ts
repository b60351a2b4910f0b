// Why writes are refused: until the cause is gone, or until this process is restarted.
import { ServiceError } from '../../lib/errors.ts';
import type { FlushWaiters } from './flush-waiters.ts';
import type { LogState } from './log-state.ts';
import type { Wal } from './wal/wal.ts';

/** What to do if another process writes the log. */
export const RESTART = 'stop this process, make sure that no other process uses the data folder, and start it again';

export interface Refusals {
  /** Permanent: the log belongs to another process, or the state of the disk is unknown. */
  readonly fatal: ServiceError | undefined;
  /** The branch is not ours to continue from, until a later look finds it in order. */
  branch: ServiceError | undefined;
  /** The disk was full at the last publish. */
  full: ServiceError | undefined;
  /** The last write to the write-ahead log found no space. No write is refused for that: the next one may fit. */
  noSpace: ServiceError | undefined;
  /** The reason with which the next write is refused. */
  current(): ServiceError | undefined;
  /** Throws that reason. */
  check(): void;
  /** Another process writes the log, or its files are gone: reads go on, and nothing is written. */
  lose(reason: string): void;
  /** Refuses writes from now on, and reports the error as fatal. */
  poison(error: unknown, message: string): void;
  /** Checks whether the write-ahead log still belongs to this process. */
  isOurs(): boolean;
}

export interface RefusalsParts {
  wal: Pick<Wal, 'lost'>;
  waiters: Pick<FlushWaiters, 'stall' | 'rejectAll'>;
  onFatal(error: unknown): void;
  warn(message: string): void;
}

export function createRefusals({ wal, waiters, onFatal, warn }: RefusalsParts): Refusals {
  let fatal: ServiceError | undefined;

  function lose(reason: string): void {
    if (!fatal) warn(`${reason}: writes are refused until this process is restarted`);
    fatal ??= new ServiceError('unavailable', `${reason}; ${RESTART}`);
    waiters.stall(fatal);
  }

  function poison(error: unknown, message: string): void {
    fatal ??= new ServiceError('unavailable', message, { cause: error });
    waiters.rejectAll(fatal);
    onFatal(error);
  }

  const refusals: Refusals = {
    get fatal() {
      return fatal;
    },
    branch: undefined,
    full: undefined,
    noSpace: undefined,
    current: () => fatal ?? refusals.branch ?? refusals.full,
    check() {
      const refused = refusals.current();
      if (refused) throw refused;
    },
    lose,
    poison,
    isOurs() {
      if (fatal) return false;
      try {
        const reason = wal.lost();
        if (reason !== undefined) lose(reason);
      } catch (error) {
        poison(error, 'write-ahead log cannot be checked');
      }
      return !fatal;
    },
  };
  return refusals;
}

export function toLockedRefusal(lockFile: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `content repository is locked by ${lockFile}, and too many changes wait for it; if no process has that file open, it is removed when it is a minute old`,
    { headers: { 'Retry-After': '5' } },
  );
}

export function toTooMuchRefusal({ lockedSince }: LogState, lockFile: string): ServiceError {
  if (lockedSince !== undefined) return toLockedRefusal(lockFile);
  return new ServiceError('unavailable', 'too many changes wait for the disk', { headers: { 'Retry-After': '1' } });
}
