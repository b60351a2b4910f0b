// One event becomes one commit: its files, its message, and what becomes of the pending state and the view when it is
// durable, fails, or is replayed on an external commit. Decides nothing.

import { ServiceError, setAside } from '../../lib/errors.ts';
import { hasMoreMembers } from '../../lib/json.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import { oidOf } from '../../store/git/objects.ts';
import type { Appended, Draft } from '../../store/log/log.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { WriteOptions, WrittenDocument } from '../api.ts';
import type { DocumentEvent, StoredDocument } from '../document.ts';
import { layoutOf, parsePath } from '../files/paths.ts';
import type { FileReading } from '../from-git/file-now.ts';
import { schemaProblem } from '../from-git/warnings.ts';
import type { PendingState } from '../pending.ts';
import { type Row, toRow } from '../rows/row.ts';
import { DOCUMENT_FILE_BYTES, DOCUMENT_MEMBERS, parseFile, toBodyBytes, toFile } from '../stored.ts';
import { type IdempotencyKeys, NO_BLOB, toRequestKey, toTrailer } from './idempotency.ts';
import { toMessage } from './message.ts';
import { createShowChange, type ShowChangeParts, type ShownChange } from './show-change.ts';

export interface CommitParts extends ShowChangeParts {
  pending: PendingState;
  keys: IdempotencyKeys;
  /** Keeps what was read of a replayed change ahead of time, by the files' bytes. */
  madeReady: Pick<WeakMap<Buffer, FileReading>, 'set'>;
  append(draft: Draft): Appended;
  /** Path of a document's file, whether or not it exists. */
  pathOf(doc: { collection: string; slug: string }): string;
  now(): Date;
  elapsedMs(): number;
}

/** A document as a replay left it. */
interface Replayed {
  change: ShownChange;
  doc: StoredDocument;
  path: string;
  row: Row;
}

/** Synchronous up to the append; resolves once the change is durable. Throws at once if the event is refused. */
export type Commit = (event: DocumentEvent, options?: WriteOptions) => Promise<WrittenDocument & { commit: string }>;

export function createCommit(parts: CommitParts): Commit {
  const { view, pending, keys, madeReady, append, pathOf, now, elapsedMs } = parts;
  const show = createShowChange(parts);
  const schemaOf = (doc: StoredDocument) => view.collection(doc.collection)!.schema;

  function toChange({ before, after }: Pick<DocumentEvent, 'before' | 'after'>): ShownChange {
    const from = before && pathOf(before);
    const stays = before && after?.slug === before.slug && after.collection === before.collection;
    return {
      id: (after ?? before)!.id,
      isWritten: after !== undefined,
      after,
      from,
      to: stays ? from : after && pathOf(after),
      row: undefined,
    };
  }

  function toFiles({ after, from, to }: ShownChange): Draft['files'] {
    return [
      ...(from && from !== to ? [{ path: from, content: null }] : []),
      ...(to && after ? [{ path: to, content: toBoundedFile(after, to, schemaOf(after)) }] : []),
    ];
  }

  return (event, options) => {
    const documents = [event, ...(event.also ?? []), ...(event.others ?? [])];
    const changes = documents.map(toChange);
    return write(event, documents, changes, onePerPath(changes.flatMap(toFiles)), options);
  };

  async function write(
    event: DocumentEvent,
    documents: readonly Pick<DocumentEvent, 'before' | 'after'>[],
    changes: ShownChange[],
    files: Draft['files'],
    options: WriteOptions | undefined,
  ): Promise<WrittenDocument & { commit: string }> {
    let gone = pathsGone(files);
    const key = options?.idempotency && toRequestKey(options.idempotency);
    const kept = options?.idempotency?.answer;
    const answered = key && (kept ?? files.find(({ content }) => content)?.content);
    const blob = answered ? oidOf('blob', answered) : NO_BLOB;
    const message = toMessage(event, { requestId: options?.requestId, idempotency: key && toTrailer(key, blob) });
    const atMs = now().getTime();
    let isSetAside = false;
    let isReplayed = false;
    /** The replay has nothing left to do: the documents that it deletes are gone already. */
    let isMoot = false;
    let ahead: { files: readonly FileChange[]; documents: Replayed[] } | undefined;

    /** Reading thousands of documents takes a fifth of a second. */
    function readReplayed(replayedFiles: readonly FileChange[], blobs: readonly string[]): Replayed[] {
      const written = replayedFiles.flatMap(({ path, content }) => (content ? [{ path, content }] : []));
      return written.flatMap(({ path, content }, i) => {
        const doc = parseFile(content, path, { schema: view.collection(parsePath(path)?.collection ?? '')?.schema });
        const change = typeof doc === 'object' && changes.find(({ id, isWritten }) => isWritten && id === doc.id);
        if (typeof doc === 'string' || !change) return [];
        const at = { etag: blobs[i]!, layout: layoutOf(path) };
        const isSame = change.row?.etag === at.etag && change.row.layout === at.layout && change.row.slug === doc.slug;
        const row = isSame ? change.row! : toRow(doc, at.etag, schemaOf(doc), at);
        madeReady.set(content, { row, problem: schemaProblem(doc, schemaOf(doc)) });
        return [{ change, doc, path, row }];
      });
    }

    const appended = append({
      files,
      ...(kept && { kept }),
      author: { name: event.actor.name, email: event.actor.email },
      at: atMs,
      ...message,
      apply(commit) {
        if (isSetAside) return;
        if (!isMoot) show(changes, gone, commit, isReplayed);
        for (const change of changes) change.pending?.settle();
        // A replay before it was durable may have changed its file.
        const now = kept ? blob : (changes[0]?.row?.etag ?? NO_BLOB);
        if (key) keys.remember(key, { blob: now, commit }, elapsedMs());
      },
      undo: () => changes.reverse().forEach((change) => change.pending?.undo()),
      replaying(replayedFiles, blobs) {
        ahead = { files: replayedFiles, documents: readReplayed(replayedFiles, blobs) };
      },
      replayed(replayedFiles, blobs, shownAs, wasSetAside) {
        const known = ahead?.files === replayedFiles ? ahead.documents : undefined;
        ahead = undefined;
        // The store keeps the change under a ref, and reports that; the view shows what the branch has instead.
        isSetAside ||= wasSetAside;
        isMoot ||= replayedFiles.length === 0;
        if (isSetAside && !shownAs) for (const change of [...changes].reverse()) change.pending?.undo();
        if (isMoot) return;
        isReplayed = true;
        for (const { change, doc, path, row } of known ?? readReplayed(replayedFiles, blobs)) {
          Object.assign(change, { after: shownAs ? undefined : doc, to: path, row });
          change.pending?.replace(doc, row.etag);
        }
        gone = pathsGone(replayedFiles);
      },
    });
    let written = 0;
    for (const [i, change] of changes.entries()) {
      const { before, after } = documents[i]!;
      const etag = after ? appended.blobs[written++]! : '';
      change.pending = pending.push(before, after, etag);
      if (after) change.row = toRow(after, etag, schemaOf(after), { layout: layoutOf(change.to!) });
    }
    const [first] = changes;
    const commit = await appended.durable;
    if (isSetAside) throw setAside(commit);
    return { body: first?.row?.body ?? Buffer.alloc(0), etag: `"${first?.row?.etag ?? ''}"`, commit };
  }
}

/** What `Commit` would answer; nothing is stored. Throws if the event would be refused. */
export function createShowUnwritten({ view, pathOf }: Pick<CommitParts, 'view' | 'pathOf'>) {
  return async (event: DocumentEvent): Promise<WrittenDocument> => {
    for (const { after } of [event, ...(event.also ?? []), ...(event.others ?? [])])
      if (after) toBoundedFile(after, pathOf(after), view.collection(after.collection)!.schema);
    return { body: event.after ? toBodyBytes(event.after) : Buffer.alloc(0), etag: '', commit: null };
  };
}

/** Returns the blob id of a document's file. */
export function createBlobOf({ view, pathOf }: Pick<CommitParts, 'view' | 'pathOf'>): (doc: StoredDocument) => string {
  return (doc) => oidOf('blob', toFile(doc, layoutOf(pathOf(doc)), view.collection(doc.collection)!.schema));
}

/** A slug that one document leaves and another one gets is one file. */
function onePerPath(files: Draft['files']): Draft['files'] {
  const byPath = new Map<string, Draft['files'][number]>();
  for (const file of files) {
    if (!file.content && byPath.has(file.path)) continue;
    // The files that are written stay in the order of their documents.
    byPath.delete(file.path);
    byPath.set(file.path, file);
  }
  return [...byPath.values()];
}

function pathsGone(files: readonly FileChange[]): string[] {
  return files.flatMap(({ path, content }) => (content ? [] : [path]));
}

/** Throws if the file would be too large to be read again. */
function toBoundedFile(doc: StoredDocument, path: string, schema: CollectionSchema): Buffer {
  const file = toFile(doc, layoutOf(path), schema);
  if (file.length > DOCUMENT_FILE_BYTES) {
    throw new ServiceError('too_large', `the document's file would be larger than ${DOCUMENT_FILE_BYTES} bytes`);
  }
  // Each key or item takes three bytes at least.
  if (file.length > 3 * DOCUMENT_MEMBERS && hasMoreMembers(JSON.stringify(doc), DOCUMENT_MEMBERS)) {
    throw new ServiceError('too_large', `the document would have more than ${DOCUMENT_MEMBERS} keys and items`);
  }
  return file;
}
