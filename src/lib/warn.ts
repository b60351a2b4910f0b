// Warnings to the operator, as every part of the service is given them.
import type { LogLines } from './log-lines.ts';

/** Reports what the service goes on in spite of: a sentence, and the error behind it if there is one. */
export type Warn = (message: string, error?: unknown) => void;

/** Writes each warning as a line of the log, the error as `err`. */
export function warnTo(log: Pick<LogLines, 'warn'>): Warn {
  return (message, error) => log.warn(error ? { err: error } : {}, message);
}
