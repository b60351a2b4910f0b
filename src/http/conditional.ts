// Conditional requests (RFC 9110, section 13): compares the entity tags of a request header with ours.

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

function entityTags(header: string): string[] {
  return header.match(ENTITY_TAG) ?? [];
}
