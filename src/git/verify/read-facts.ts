// The facts about a commit's files that an index is compared with, read in the process that checks or in a separate
// thread (check-worker.ts).
import { hash } from 'node:crypto';
import { parsePath } from '../../content/files/paths.ts';
import { createOriginLookup } from '../../content/from-git/origins.ts';
import { DOCUMENT_FILE_BYTES, parseFile, toBodyBytes } from '../../content/stored.ts';
import { parsePointer } from '../../lib/lfs-pointer.ts';
import { isMediaPath, mediaFileBytes, parseMediaPath } from '../../media/stored.ts';
import type { FileSchema } from '../../schema/file-schema.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';
import { diffTrees } from '../../store/repository/tree-walk.ts';

/** A file at the path of a document or a media file. */
export interface FileFact {
  path: string;
  oid: Oid;
  /** Hash of the document's body; undefined if the file is not a valid document. */
  bodyHash?: string;
  /** Only for a media file. */
  pointer?: { sha256: string; sizeBytes: number };
}

/** Facts per message between threads: a few milliseconds of work for the receiver. */
const BATCH_FACTS = 500;

export function* readFacts(odb: Odb, head: Oid, schemas: ReadonlyMap<string, FileSchema>): Generator<FileFact[]> {
  let batch: FileFact[] = [];
  for (const fact of listFacts(odb, head, schemas)) {
    if (batch.push(fact) < BATCH_FACTS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function* listFacts(odb: Odb, head: Oid, schemas: ReadonlyMap<string, FileSchema>): Generator<FileFact> {
  const origins = createOriginLookup(odb);
  for (const { path, oid } of listFiles(odb, head)) {
    const place = parsePath(path);
    if (!place) continue;
    const bytes = readSmall(odb, oid, DOCUMENT_FILE_BYTES);
    const context = { schema: schemas.get(place.collection), originOf: () => origins.at(head, path) };
    const file = bytes && parseFile(bytes, path, context);
    yield file === undefined || typeof file === 'string'
      ? { path, oid }
      : { path, oid, bodyHash: bodyHash(toBodyBytes(file)) };
  }
  yield* listPointers(odb, head);
}

/** Files below `media/` that may have bytes. */
export function* listPointers(odb: Odb, head: Oid): Generator<FileFact> {
  for (const { path, oid } of listFiles(odb, head)) {
    if (!isMediaPath(path) || parseMediaPath(path).kind === 'meta') continue;
    const bytes = readSmall(odb, oid, mediaFileBytes(path));
    const pointer = bytes && parsePointer(bytes);
    if (pointer) yield { path, oid, pointer };
  }
}

/** Without `updatedAt`, which after an external commit is not the file's (content/from-git/external-times.ts). */
export function bodyHash(body: Buffer): string {
  return hash('sha1', body.toString('utf8').replace(/"updatedAt":"[^"]*",/, ''));
}

function* listFiles(odb: Odb, head: Oid): Generator<{ path: string; oid: Oid }> {
  for (const { path, after } of diffTrees(odb, null, parseCommit(odb.get(head, 'commit')).tree)) {
    if (after) yield { path, oid: after };
  }
}

/** Undefined if the file is larger than the limit. */
function readSmall(odb: Odb, oid: Oid, limitBytes: number): Buffer | undefined {
  try {
    return odb.get(oid, 'blob', limitBytes);
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  }
}
