// The session cookie, read and written. Nothing here knows what is in it.
import type { IncomingHttpHeaders } from 'node:http';

export const SESSION_COOKIE = 'cms-session';
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** The cookie's value; the first one where there are several, undefined where there is none or it is empty. */
export function findSessionCookie(headers: IncomingHttpHeaders): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== SESSION_COOKIE) continue;
    const value = pair.slice(equals + 1).trim();
    const bare = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
    return bare || undefined;
  }
  return undefined;
}

/** `Set-Cookie` for a new session. `isSecure` where the public address is https. */
export function toSessionCookie(value: string, isSecure: boolean): string {
  return attributes(`${SESSION_COOKIE}=${value}; Max-Age=${SESSION_SECONDS}`, isSecure);
}

/** `Set-Cookie` that makes the browser forget the session. */
export function toClearedCookie(isSecure: boolean): string {
  return attributes(`${SESSION_COOKIE}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT`, isSecure);
}

function attributes(start: string, isSecure: boolean): string {
  return `${start}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
