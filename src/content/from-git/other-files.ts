// Files of the repository that are not documents: the problems that they may have, and why a file below `content/` is
// not a document.
import { isPassing } from '../../lib/shortage.ts';
import { isLocale } from '../../lib/text/locale.ts';
import { slugProblem } from '../../lib/text/slug.ts';
import {
  EMPTY_MEDIA,
  isMediaPath,
  mediaFileBytes,
  parseMediaFile,
  type StoredMedia,
  tooLargeMedia,
} from '../../media/stored.ts';
import type { Oid } from '../../store/git/objects.ts';
import { TREE_MODE } from '../../store/git/tree.ts';
import { fileProblem } from '../../store/intake/intake.ts';
import { isRegular } from '../../store/intake/intake-tree.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';
import type { StoredDocument } from '../document.ts';
import { isMarkdown, MARKDOWN, pathOf, SHARDED } from '../files/paths.ts';
import { DOCUMENT_FILE_BYTES, type FileContext, parseFile } from '../stored.ts';

export const NOT_REGULAR = 'not a regular file';
const TOO_LARGE = `larger than ${DOCUMENT_FILE_BYTES >> 20} MiB`;

/** What is wrong with a file outside of `content/`. Code and notes may be there too; only media files are ours. */
export function otherFileProblem(odb: Odb, file: { path: string; mode: string; oid: Oid }): string | undefined {
  const { path, mode } = file;
  if (mode === TREE_MODE) return undefined;
  if (path === 'content' || path === 'media') return 'must be a folder';
  if (!isMediaPath(path)) return fileProblem(odb, file);
  const found = readMediaFile(odb, file);
  if (typeof found === 'string') return found;
  return found.kind === 'pointer' && found.pointer.sizeBytes === 0 ? EMPTY_MEDIA : undefined;
}

/** Returns a file below `media/`, or the reason if it is not a media file. */
export function readMediaFile(
  odb: Odb,
  { path, mode, oid }: { path: string; mode: string; oid: Oid },
): StoredMedia | string {
  if (!isRegular(mode)) return NOT_REGULAR;
  try {
    return parseMediaFile(path, odb.get(oid, 'blob', mediaFileBytes(path)));
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return tooLargeMedia(path);
    return unreadable(error);
  }
}

/** The reason why a path below `content/` is not a document's. `isSharded`: what the configuration says. */
export function misplaced(path: string, isSharded = false): string {
  const [, collection, folder = '', slug = ''] = /^content\/([^/]+)\/(.+\/)?([^/]+)\.(?:json|md)$/.exec(path) ?? [];
  if (!collection || slugProblem(slug)) return 'not at content/<collection>/<slug>.json or .md';
  const layout = (isSharded ? SHARDED : 0) + (isMarkdown(path) ? MARKDOWN : 0);
  const place = pathOf({ collection, slug }, layout);
  if (isSharded && /^[0-9a-f]{2}\/$/.test(folder)) return `in the wrong shard; it belongs at ${place}`;
  const language = isLocale(folder.slice(0, -1)) ? `; a language is the document's locale, not a folder` : '';
  return `in a folder that holds no documents; it belongs at ${place}${language}`;
}

/** Returns the document, or the reason if the file is not one. */
export function readDocument(read: () => Buffer, path: string, context?: FileContext): StoredDocument | string {
  try {
    return parseFile(read(), path, context);
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return TOO_LARGE;
    throw error;
  }
}

/** The same, and also returns the reason if the object is missing or damaged. */
export function readAnyDocument(read: () => Buffer, path: string, context: FileContext): StoredDocument | string {
  try {
    return readDocument(read, path, context);
  } catch (error) {
    return unreadable(error);
  }
}

/** What is wrong with the object. Rethrows errors of the disk or the process that may be over at the next try. */
function unreadable(error: unknown): string {
  if (isPassing(error)) throw error;
  return `cannot be read: ${(error as Error).message}`;
}
