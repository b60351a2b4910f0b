// The conditions of a write (`If-Match`, `If-None-Match`), checked against the document as the last accepted write left
// it.
import { ServiceError } from '../lib/errors.ts';
import type { WriteOptions } from './api.ts';

/** Throws 412 if the document is not the one that `If-Match` names. */
export function checkMatch(found: { etag: string } | undefined, options: WriteOptions | undefined): void {
  if (!options?.ifMatch || !found || options.ifMatch(toEtag(found.etag))) return;
  throw new ServiceError('precondition_failed', 'the document has changed since; read it again', {
    headers: { etag: toEtag(found.etag) },
  });
}

/** Throws 412 if the document exists, for `If-None-Match: *`. */
export function checkAbsent(slug: string, found: { etag: string } | undefined): void {
  if (!found) return;
  throw new ServiceError('precondition_failed', `document "${slug}" exists`, {
    headers: { etag: toEtag(found.etag) },
  });
}

/** Throws 412: no condition on a deleted document holds. */
export function refuseDeleted(id: string): never {
  throw new ServiceError('precondition_failed', `document "${id}" is deleted`);
}

/** 400 before 412 before 409: if the decision ends in a conflict, a failed precondition takes precedence. */
export function decideAfterMatch<T>(decide: () => T, checkMatch: () => unknown): T {
  try {
    const decision = decide();
    checkMatch();
    return decision;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 409) checkMatch();
    throw error;
  }
}

/** A strong ETag: a blob's id, quoted. */
export function toEtag(oid: string): string {
  return `"${oid}"`;
}
