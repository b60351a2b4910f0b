/**
 * Codes of a process, or a machine, that is short of something for a moment: descriptors, memory, memory maps, threads.
 * What met one of them has done nothing and may be tried again.
 */
const SHORTAGE: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ERR_WORKER_INIT_FAILED']);

export function isShortage(error: unknown): boolean {
  return SHORTAGE.has((error as { code?: unknown } | null | undefined)?.code);
}

/** Trouble of the disk or of the process with a call, rather than with what was read: the next try may do. */
export function isPassing(error: unknown): boolean {
  return isShortage(error) || typeof (error as { syscall?: unknown } | null | undefined)?.syscall === 'string';
}

/** For what is done for nobody in particular and may be left out: it is, where the process is short of something. */
export function unlessShort(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!isShortage(error)) throw error;
  }
}
