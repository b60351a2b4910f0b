// The path of a request as the process log may have it: never the query, which carries tokens, and no segment that is a secret.
const MAX_CHARS = 300;
/** Route parameters whose value opens something. */
const SECRET_PARAM = /^\{(?:token|secret|key)\}$/;
/** An access token anywhere in the path; and, if no route matched, a segment too long and too mixed to be a name. */
const ACCESS_TOKEN = /cms_[A-Za-z0-9_-]+/g;
const OPAQUE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~%-]{20,}$/;
const MASK = '***';

/** `pattern` is the route's path; if it does not begin with `/`, no route matched. */
export function toLoggedPath(url: string, pattern: string): string {
  const end = url.search(/[?#]/);
  const path = (end < 0 ? url : url.slice(0, end)).slice(0, MAX_CHARS + 1);
  const whole = pattern.startsWith('/') ? maskParams(path, pattern) : maskOpaque(path);
  const shown = whole.replace(/[^\x21-\x7e]/g, '?').replace(ACCESS_TOKEN, MASK);
  return shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS)}…` : shown;
}

function maskParams(path: string, pattern: string): string {
  const shape = pattern.split('/');
  if (!shape.some((part) => SECRET_PARAM.test(part))) return path;
  return path
    .split('/')
    .map((part, index) => (SECRET_PARAM.test(shape[index] ?? '') ? MASK : part))
    .join('/');
}

function maskOpaque(path: string): string {
  return path
    .split('/')
    .map((part) => (OPAQUE.test(part) ? MASK : part))
    .join('/');
}
