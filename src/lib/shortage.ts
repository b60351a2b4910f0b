import { codeOf } from './error-code.ts';

/**
 * Codes of a process or a machine that is briefly short of something: descriptors, memory, memory maps, threads. A call
 * that fails with one of them has done nothing and may be repeated.
 */
const SHORTAGE: ReadonlySet<string | undefined> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
  'ERR_WORKER_INIT_FAILED',
]);

export function isShortage(error: unknown): boolean {
  return SHORTAGE.has(codeOf(error));
}

/** Returns true for an error of the disk or the process, not of the data: another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  return isShortage(error) || typeof (error as { syscall?: unknown } | null | undefined)?.syscall === 'string';
}

/**
 * Codes for a file that gets no space: the disk or its quota is full, or the file would exceed a limit (`ulimit -f`, the
 * file system's). Refuse writes, go on reading, and try again: it passes when space is freed.
 */
const NO_SPACE: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export function isNoSpace(error: unknown): boolean {
  return NO_SPACE.has(codeOf(error));
}

/** For optional work that no caller waits for: it is skipped if the process is short of something. */
export function unlessShort(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!isShortage(error)) throw error;
  }
}
