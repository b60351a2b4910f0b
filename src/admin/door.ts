// Which way a visitor is sent before a screen is shown. Pure.
import { toNextPath } from './api/next-path.ts';
import type { SessionState } from './api/session.ts';

const SETUP = '/admin/setup';
const LOGIN = '/admin/login';
/** Paths are parsed as addresses of it. */
const ANY = 'http://here.invalid';

/** The path to go to instead of this one; undefined to stay. `url` is path and query. */
export function redirectFor(state: SessionState['kind'], url: string): string | undefined {
  const path = url.split(/[?#]/)[0];
  const isDoor = path === LOGIN || path === '/admin/forgotten';
  if (state === 'unset') return path === SETUP ? undefined : SETUP;
  if (state === 'stranger') {
    if (isDoor) return undefined;
    if (path === '/admin' || path === SETUP) return LOGIN;
    return `${LOGIN}?next=${encodeURIComponent(url)}`;
  }
  if (state === 'signed-in' && (path === SETUP || isDoor))
    return toNextPath(new URL(url, ANY).searchParams.get('next'));
  return undefined;
}
