// Where a browser lands after it has signed in. Pure.

const HOME = '/admin';
const MAX_LENGTH = 1_000;

/** The path that was asked for, if it is one of the admin pages here; `/admin` otherwise. Never another origin. */
export function toLandingPath(asked: string | undefined): string {
  if (asked === undefined || asked.length > MAX_LENGTH) return HOME;
  // Parsed as browsers do, which take a backslash for a slash and leave out tabs: what counts is what comes of it.
  const url = URL.parse(asked, 'http://here.invalid');
  if (url?.origin !== 'http://here.invalid' || !/^\/admin(\/|$)/.test(url.pathname)) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}
