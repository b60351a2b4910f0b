// The page on which a browser lands after a sign-in. Pure.

const HOME = '/admin';
const MAX_LENGTH = 1_000;

/** Returns the requested path if it is one of our admin pages, otherwise `/admin`. Never another origin. */
export function toLandingPath(requested: string | undefined): string {
  if (requested === undefined || requested.length > MAX_LENGTH) return HOME;
  // Parsed as browsers do, which read a backslash as a slash and drop tabs: the check is on the result.
  const url = URL.parse(requested, 'http://here.invalid');
  if (url?.origin !== 'http://here.invalid' || !/^\/admin(\/|$)/.test(url.pathname)) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}
