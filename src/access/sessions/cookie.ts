// Reads and writes the cookies of this folder. Does not know what is in them.
import type { IncomingHttpHeaders } from 'node:http';

const DAY_SECONDS = 24 * 60 * 60;

/** Names the session. */
export const SESSION_COOKIE = 'cms-session';
export const SESSION_SECONDS = 7 * DAY_SECONDS;
/** Marks a browser that a user has signed in with; it grants no access. */
export const DEVICE_COOKIE = 'cms-device';
/** Browsers keep no cookie for longer than 400 days. */
export const DEVICE_SECONDS = 365 * DAY_SECONDS;

/** Marks a browser that has gone to the OpenID provider and will come back. */
export const PROVIDER_COOKIE = 'cms-oidc';

/** The cookie's value: the first of several, undefined if the cookie is missing or empty. */
export function findCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    const bare = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
    return bare || undefined;
  }
  return undefined;
}

export function findSessionCookie(headers: IncomingHttpHeaders): string | undefined {
  return findCookie(headers, SESSION_COOKIE);
}

/** `Set-Cookie` for a session. `isSecure` if the public address is https. */
export function toSessionCookie(value: string, isSecure: boolean): string {
  return attributes(`${SESSION_COOKIE}=${value}; Max-Age=${SESSION_SECONDS}`, isSecure);
}

/** `Set-Cookie` for a browser that a user has signed in with. */
export function toDeviceCookie(value: string, isSecure: boolean): string {
  return attributes(`${DEVICE_COOKIE}=${value}; Max-Age=${DEVICE_SECONDS}`, isSecure);
}

/** `Set-Cookie` for the way to the provider and back; 0 seconds clear it. Lax, because the way back is a redirect. */
export function toProviderCookie(path: string, value: string, seconds: number, isSecure: boolean): string {
  return `${PROVIDER_COOKIE}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** `Set-Cookie` that makes the browser forget the session. */
export function toClearedCookie(isSecure: boolean): string {
  return attributes(`${SESSION_COOKIE}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT`, isSecure);
}

function attributes(start: string, isSecure: boolean): string {
  return `${start}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
