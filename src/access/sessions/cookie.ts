// Reads and writes the cookies of this folder. Does not know what is in them.
import type { IncomingHttpHeaders } from 'node:http';

const DAY_SECONDS = 24 * 60 * 60;

/** `session` names the session; the others grant no access. */
const NAMES = {
  session: 'cms-session',
  /** Marks a browser that a user has signed in with. */
  device: 'cms-device',
  /** Marks a browser that has gone to the OpenID provider and will come back. */
  provider: 'cms-oidc',
};
export type CookieKind = keyof typeof NAMES;

export const SESSION_SECONDS = 7 * DAY_SECONDS;
/** Browsers keep no cookie for longer than 400 days. */
export const DEVICE_SECONDS = 365 * DAY_SECONDS;

/**
 * Over https a browser takes a cookie with this prefix only from this very host, for all paths (RFC 6265bis, section
 * 4.1.3.2): neither another host of the domain nor a page over http can plant one.
 */
const HOST_PREFIX = '__Host-';

/** `isSecure` if the public address is https, here and below. */
export function cookieName(kind: CookieKind, isSecure: boolean): string {
  return isSecure ? `${HOST_PREFIX}${NAMES[kind]}` : NAMES[kind];
}

/**
 * The cookie's value; undefined if the cookie is missing or empty, or has two values: nothing says which of them this
 * service has set.
 */
export function findCookie(headers: IncomingHttpHeaders, kind: CookieKind, isSecure: boolean): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const name = cookieName(kind, isSecure);
  const values = new Set<string>();
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || withoutBlanks(pair.slice(0, equals)) !== name) continue;
    const value = withoutBlanks(pair.slice(equals + 1));
    values.add(value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value);
  }
  const [only] = values;
  return values.size === 1 ? only || undefined : undefined;
}

/** `trim()` also takes blanks that browsers leave in a name, such as U+00A0, which a planted cookie may begin with. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

/** `Set-Cookie` for a session. */
export function toSessionCookie(value: string, isSecure: boolean): string {
  return toCookie('session', `${value}; Max-Age=${SESSION_SECONDS}`, isSecure);
}

/** `Set-Cookie` for a browser that a user has signed in with. */
export function toDeviceCookie(value: string, isSecure: boolean): string {
  return toCookie('device', `${value}; Max-Age=${DEVICE_SECONDS}`, isSecure);
}

/** `Set-Cookie` for the way to the provider and back; 0 seconds clear it. Lax, because the way back is a redirect. */
export function toProviderCookie(path: string, value: string, seconds: number, isSecure: boolean): string {
  return toCookie('provider', `${value}; Max-Age=${seconds}`, isSecure, path);
}

/** `Set-Cookie` that makes the browser forget the session. */
export function toClearedCookie(isSecure: boolean): string {
  return toCookie('session', '; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT', isSecure);
}

/** With the prefix the path must be `/`. */
function toCookie(kind: CookieKind, rest: string, isSecure: boolean, path = '/'): string {
  const name = cookieName(kind, isSecure);
  return `${name}=${rest}; Path=${isSecure ? '/' : path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
