// What a failed request says about what the service has, or has done.
import { ApiError, OfflineError } from './client.ts';

/** The service has nothing at the address, or not any more. */
export function isMissing(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 404;
}

/** The answer was lost, or a proxy gave up waiting for it: the service may have done it all the same. */
export function isUncertain(failure: unknown): boolean {
  return failure instanceof OfflineError || (failure instanceof ApiError && failure.status >= 500);
}
