// The version of what is stored outside of git, for `ETag` and `If-Match`. Pure.
import { hash } from 'node:crypto';
import { ServiceError } from './errors.ts';

/** Whether a caller means the version with this tag. */
export type VersionMatch = (etag: string) => boolean;

/** 16 hex digits: equal for values with the same keys in the same order. */
export function toDigest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** @throws ServiceError 412 with the present version; `what` is what has changed */
export function checkVersion(ifMatch: VersionMatch | undefined, etag: string, what: string): void {
  if (!ifMatch || ifMatch(etag)) return;
  throw new ServiceError('precondition_failed', `${what} has changed since; read it again`, { headers: { etag } });
}
