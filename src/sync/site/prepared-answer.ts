// What a path of the site answers, whatever the conditions and ranges of the request.
import type { Resolved, ServedFile } from './resolve.ts';
import { cacheControlOf, contentTypeOf } from './types.ts';

export interface PreparedAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: { path: string; file: ServedFile } | string;
}

/** `own` are the headers of the site's rules; `missing` is its page for what does not exist. */
export function toPreparedAnswer(
  resolved: Resolved,
  own: Record<string, string>,
  missing: ServedFile | undefined,
): PreparedAnswer {
  if (resolved.kind === 'redirect') {
    const { status, location } = resolved;
    return { status, headers: { 'cache-control': 'no-cache', ...own, location, 'content-length': '0' }, body: '' };
  }
  if (resolved.kind === 'file') return toPage(resolved, own);
  if (missing) return toPage({ path: '404.html', file: missing, status: 404 }, own);
  return toTextAnswer(404, 'Not found\n');
}

function toPage(
  { path, file, status }: { path: string; file: ServedFile; status: number },
  own: Record<string, string>,
): PreparedAnswer {
  const isFound = status === 200;
  const headers: Record<string, string> = {
    'content-type': contentTypeOf(path),
    'cache-control': isFound ? cacheControlOf(path) : 'no-cache',
    'x-content-type-options': 'nosniff',
    ...own,
    'content-length': `${file.sizeBytes}`,
    ...(isFound ? { 'accept-ranges': 'bytes', etag: `"${file.sha256}"` } : {}),
  };
  return { status, headers, body: { path, file } };
}

export function toTextAnswer(status: number, text: string, more: Record<string, string> = {}): PreparedAnswer {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-cache',
    'content-length': `${Buffer.byteLength(text)}`,
    ...more,
  };
  return { status, headers, body: text };
}
