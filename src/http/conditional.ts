// Conditional requests (RFC 9110, section 13): compares the entity tags of a request header with ours.
import type { VersionMatch } from '../lib/version-tag.ts';

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/**
 * If-None-Match, weak comparison: returns true if the client's copy is still current. An absent header matches nothing.
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return entityTags(header).some((candidate) => candidate.replace(/^W\//, '') === opaque);
}

/** If-Match, strong comparison: a weak tag matches nothing. */
export function matchesIfMatch(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  if (etag.startsWith('W/')) return false;
  return entityTags(header).includes(etag);
}

/** What a caller with this `If-Match` accepts; undefined without one. */
export function toVersionMatch(header: string): VersionMatch | undefined {
  return header === '' ? undefined : (etag) => matchesIfMatch(header, etag);
}

function entityTags(header: string): string[] {
  return header.match(ENTITY_TAG) ?? [];
}
