import { ApiError } from './client.ts';

/** The service has nothing at the address, or not any more. */
export function isMissing(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 404;
}
