// Conditional requests (RFC 9110, section 13): what an entity tag in a request header says about the one we have.

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/** If-None-Match, weak comparison: true where the client's copy is still good. An absent header matches nothing. */
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
