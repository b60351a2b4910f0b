// Failures of the remote: counted, and reported once for as long as the reason stays the same.
import { ServiceError } from '../../lib/errors.ts';
import { RemoteError } from './error.ts';

export interface Failures {
  /** Undefined after a success. */
  readonly last: { message: string; atMs: number } | undefined;
  /** Failures since the start. */
  readonly count: number;
  /** Failures since the last success. */
  readonly inRow: number;
  succeeded(): void;
  /** Notes the failure, and throws it again. */
  failed(error: unknown): never;
}

export interface FailuresParts {
  nowMs(): number;
  warn(message: string, error?: unknown): void;
}

export function createFailures({ nowMs, warn }: FailuresParts): Failures {
  let last: Failures['last'];
  let count = 0;
  let inRow = 0;
  return {
    get last() {
      return last;
    },
    get count() {
      return count;
    },
    get inRow() {
      return inRow;
    },
    succeeded() {
      inRow = 0;
      last = undefined;
    },
    failed(error) {
      // A choice that cannot be made is the caller's mistake.
      if (error instanceof ServiceError && error.code === 'conflict') throw error;
      count++;
      inRow++;
      const { message } = error as Error;
      // A bug is reported with its stack.
      if (last?.message !== message) warn(`remote: ${message}`, error instanceof RemoteError ? undefined : error);
      last = { message, atMs: nowMs() };
      throw error;
    },
  };
}
