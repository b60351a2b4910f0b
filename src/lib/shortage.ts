import { codeOf } from './error-code.ts';

/**
 * Codes of a process, or a machine, that is short of something for a moment: descriptors, memory, memory maps, threads.
 * What met one of them has done nothing and may be tried again.
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

/** Trouble of the disk or of the process with a call, rather than with what was read: the next try may do. */
export function isPassing(error: unknown): boolean {
  return isShortage(error) || typeof (error as { syscall?: unknown } | null | undefined)?.syscall === 'string';
}

/**
 * What a file cannot have: the disk or the quota on it is full, or the file would be larger than a file may be (`ulimit -f`,
 * the file system's limit). Refuse, go on reading, and try again: it passes when somebody makes room.
 */
const NO_SPACE: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export function isNoSpace(error: unknown): boolean {
  return NO_SPACE.has(codeOf(error));
}

/** For what is done for nobody in particular and may be left out: it is, where the process is short of something. */
export function unlessShort(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!isShortage(error)) throw error;
  }
}
