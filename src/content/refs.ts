// How callers name documents, and what conditions compare.
import type { DocumentRef } from './api.ts';

/** For messages. */
export function nameOf(ref: DocumentRef): string {
  return 'slug' in ref ? ref.slug : 'id' in ref ? ref.id : ref.idOrSlug;
}

/** A strong ETag. */
export function quote(oid: string): string {
  return `"${oid}"`;
}
