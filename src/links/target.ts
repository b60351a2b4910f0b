// Resolves the target of a link from its text alone. Pure.

export type LinkTarget =
  /** A path of this site, decoded, without query and fragment. */
  | { kind: 'internal'; path: string }
  /** Without its fragment: a page is requested once, however many of its fragments are linked. */
  | { kind: 'external'; url: string }
  | { kind: 'broken'; error: 'bad_url' }
  /** Mail, telephone, data, a place on the same page: nothing to request. */
  | { kind: 'none' };

/** Stands for the site's origin. */
const NOWHERE = 'https://site.invalid';
/** Browsers and servers may not accept longer URLs. */
const MAX_LENGTH = 2048;

/**
 * @param link as it is written
 * @param from path of the page with the link, or undefined if it is unknown
 * @param ownOrigins origins under which the site itself is published
 */
export function toTarget(link: string, from: string | undefined, ownOrigins: ReadonlySet<string>): LinkTarget {
  const text = link.trim();
  if (text === '' || text.startsWith('#') || text.startsWith('?')) return { kind: 'none' };
  if (text.length > MAX_LENGTH) return { kind: 'broken', error: 'bad_url' };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { kind: 'none' };
  const isRelative = scheme === undefined && !text.startsWith('/');
  if (isRelative && from === undefined) return { kind: 'none' };
  const url = URL.parse(text, `${NOWHERE}${from ?? '/'}`);
  if (url?.username !== '' || url.password !== '') return { kind: 'broken', error: 'bad_url' };
  if (url.origin === NOWHERE || ownOrigins.has(url.origin)) {
    const path = decode(url.pathname);
    return path === undefined ? { kind: 'broken', error: 'bad_url' } : { kind: 'internal', path };
  }
  url.hash = '';
  return { kind: 'external', url: url.href };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
