/**
 * Codes of a process, or a machine, that is short of something for a moment: descriptors, memory, memory maps, threads.
 * What met one of them has done nothing and may be tried again.
 */
const SHORTAGE: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ERR_WORKER_INIT_FAILED']);

/** True for an error of that kind, or one that has it as its cause. */
export function isShortage(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return SHORTAGE.has(code) || (cause !== undefined && SHORTAGE.has((cause as { code?: unknown } | null)?.code));
}
