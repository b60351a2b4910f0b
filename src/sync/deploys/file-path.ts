// The paths that files of a deploy may have, and the query parameter that names one.
import { SyncRefusal } from '../refusal.ts';

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/** The reason why it is not a path, or undefined if it is one. */
export function filePathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`;
  if (path.includes('\\')) return 'has a backslash';
  if (path.includes('\0')) return 'has a NUL';
  for (const segment of path.split('/')) {
    if (segment === '') return 'has an empty segment, or a slash at an end';
    if (segment === '.' || segment === '..') return `has a segment "${segment}"`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a segment of more than ${MAX_SEGMENT_BYTES} bytes`;
  }
  return undefined;
}

/** The one parameter `path` of a query. @throws SyncRefusal 400 */
export function parseFilePath(query: string): string {
  const values = query.split('&').flatMap((part) => {
    const at = part.indexOf('=');
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    return decodeParameter(name) === 'path' ? [decodeParameter(value)] : [];
  });
  const [path] = values;
  if (values.length !== 1 || path === undefined) throw new SyncRefusal(400, 'name exactly one path');
  const problem = filePathProblem(path);
  if (problem !== undefined) throw new SyncRefusal(400, `the path ${problem}`);
  return path;
}

/** @throws SyncRefusal 400 if it is not percent-encoded UTF-8 */
function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new SyncRefusal(400, 'the query is not percent-encoded UTF-8');
  }
}
