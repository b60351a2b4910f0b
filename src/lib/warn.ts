// Warnings to the operator, in the form that every part of the service gets.
import type { Logger } from './logger.ts';

/** Reports a problem that does not stop the service: a sentence, and the error that caused it if there is one. */
export type Warn = (message: string, error?: unknown) => void;

/** Writes each warning as a line of the process log, the error as `err`. */
export function warnTo(logger: Pick<Logger, 'warn'>): Warn {
  return (message, error) => logger.warn(error ? { err: error } : {}, message);
}
