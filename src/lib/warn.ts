// Warnings to the operator, as every part of the service is given them.
import type { Logger } from './logger.ts';

/** Reports what the service goes on in spite of: a sentence, and the error behind it if there is one. */
export type Warn = (message: string, error?: unknown) => void;

/** Writes each warning as a line of the log, the error as `err`. */
export function warnTo(logger: Pick<Logger, 'warn'>): Warn {
  return (message, error) => logger.warn(error ? { err: error } : {}, message);
}
