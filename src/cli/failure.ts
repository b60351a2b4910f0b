// How a command fails: one sentence on standard error and an exit code. A stack is for people who debug the service.
import { ServiceError } from '../lib/errors.ts';
import { EXIT_IN_USE } from '../lib/exit-codes.ts';
import { FolderInUseError } from '../store/log/writer-lock.ts';

/** An error whose message is all that the user sees. */
export function failure(message: string, exitCode = 1, cause?: unknown): Error & { exitCode: number } {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { exitCode });
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof FolderInUseError) return EXIT_IN_USE;
  const { exitCode } = (error ?? {}) as { exitCode?: unknown };
  return typeof exitCode === 'number' && exitCode > 0 ? exitCode : 1;
}

/** The message, with a line for each further problem; the stack if debugging is on. */
export function toErrorText(error: unknown, isDebug: boolean): string {
  if (!(error instanceof Error)) return `colophon: ${String(error)}\n`;
  if (isDebug) return `${error.stack ?? error.message}\n`;
  const details = error instanceof ServiceError ? (error.details ?? []) : [];
  const more = details.length > 1 ? details.map(({ path, message }) => `  ${path}: ${message}\n`).join('') : '';
  return `colophon: ${error.message}\n${more}`;
}

/** Adds a hint to use the API if the data folder is in use. */
export async function withApiHint<T>(work: Promise<T>, hint: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (exitCodeOf(error) !== EXIT_IN_USE) throw error;
    throw failure(`${(error as Error).message}; ${hint}`, EXIT_IN_USE, error);
  }
}
