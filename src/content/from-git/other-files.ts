// Files of the repository that are not documents: the problems that they may have, and why a file below `content/` is
// not a document.
import { isPassing } from '../../lib/shortage.ts';
import { isMediaPath, mediaFileBytes, parseMediaFile, type StoredMedia, tooLargeMedia } from '../../media/stored.ts';
import type { Oid } from '../../store/git/objects.ts';
import { TREE_MODE } from '../../store/git/tree.ts';
import { fileProblem } from '../../store/intake/intake.ts';
import { isRegular } from '../../store/intake/intake-tree.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';
import type { StoredDocument } from '../document.ts';
import { DOCUMENT_FILE_BYTES, parseFile, pathOf } from '../stored.ts';

export const NOT_REGULAR = 'not a regular file';
const TOO_LARGE = `larger than ${DOCUMENT_FILE_BYTES >> 20} MiB`;

/** What is wrong with a file outside of `content/`. Code and notes may be there too; only media files are ours. */
export function otherFileProblem(odb: Odb, file: { path: string; mode: string; oid: Oid }): string | undefined {
  const { path, mode } = file;
  if (mode === TREE_MODE) return undefined;
  if (path === 'content' || path === 'media') return 'must be a folder';
  if (!isMediaPath(path)) return fileProblem(odb, file);
  const found = readMediaFile(odb, file);
  return typeof found === 'string' ? found : undefined;
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

/** The reason why a path below `content/` is not a document's. */
export function misplaced(path: string): string {
  const [, collection, slug] = /^content\/([^/]+)\/[0-9a-f]{2}\/([^/]+)\.json$/.exec(path) ?? [];
  if (!collection || !slug) return 'not at content/<collection>/<slug>.json';
  return `in the wrong shard; it belongs at ${pathOf({ collection, slug }, true)}`;
}

/** Returns the document, or the reason if the file is not one. */
export function readDocument(
  read: () => Buffer,
  place: { collection: string; slug: string },
  onUnknownKey?: (key: string) => void,
): StoredDocument | string {
  try {
    return parseFile(read(), place, onUnknownKey);
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return TOO_LARGE;
    throw error;
  }
}

/** The same, and also returns the reason if the object is missing or damaged. */
export function readAnyDocument(
  read: () => Buffer,
  place: { collection: string; slug: string },
): StoredDocument | string {
  try {
    return readDocument(read, place);
  } catch (error) {
    return unreadable(error);
  }
}

/** What is wrong with the object. Rethrows errors of the disk or the process that may be over at the next try. */
function unreadable(error: unknown): string {
  if (isPassing(error)) throw error;
  return `cannot be read: ${(error as Error).message}`;
}
