// One event becomes one commit: its files, its message, its Idempotency-Key, and its answer. Decides nothing;
// documents-part.ts knows what becomes of the documents.
import { commitAuthor } from '../../lib/actor-trailers.ts';
import { setAside } from '../../lib/errors.ts';
import { oidOf } from '../../store/git/objects.ts';
import type { Appended, Draft } from '../../store/log/log.ts';
import type { WriteOptions, WrittenDocument } from '../api.ts';
import type { DocumentEvent, StoredDocument } from '../document.ts';
import { layoutOf } from '../files/paths.ts';
import { toBodyBytes, toFile } from '../stored.ts';
import {
  type CreateDocumentsPart,
  type DocumentsPart,
  type DocumentsPartParts,
  toBoundedFile,
} from './documents-part.ts';
import { type IdempotencyKeys, NO_BLOB, toRequestKey, toTrailer } from './idempotency.ts';
import { toMessage } from './message.ts';

export interface CommitParts extends DocumentsPartParts {
  keys: IdempotencyKeys;
  append(draft: Draft): Appended;
  now(): Date;
  elapsedMs(): number;
}

/** Synchronous up to the append; resolves once the change is durable. Throws at once if the event is refused. */
export type Commit = (event: DocumentEvent, options?: WriteOptions) => Promise<WrittenDocument & { commit: string }>;

export function createCommit(parts: CommitParts, toPart: CreateDocumentsPart): Commit {
  const { keys, append, now, elapsedMs } = parts;

  return (event, options) => write(event, toPart([event, ...(event.also ?? []), ...(event.others ?? [])]), options);

  async function write(event: DocumentEvent, part: DocumentsPart, options: WriteOptions | undefined) {
    const { files } = part;
    const key = options?.idempotency && toRequestKey(options.idempotency);
    const kept = options?.idempotency?.answer;
    const answered = key && (kept ?? files.find(({ content }) => content)?.content);
    const blob = answered ? oidOf('blob', answered) : NO_BLOB;
    const message = toMessage(event, { requestId: options?.requestId, idempotency: key && toTrailer(key, blob) });
    const appended = append({
      files,
      ...(kept && { kept }),
      author: commitAuthor(event.actor),
      at: now().getTime(),
      ...message,
      apply(commit) {
        if (part.isSetAside()) return;
        part.apply(commit);
        // A replay before it was durable may have changed its file.
        const now = kept ? blob : (part.first()?.etag ?? NO_BLOB);
        if (key) keys.remember(key, { blob: now, commit }, elapsedMs());
      },
      undo: part.undo,
      replaying: part.replaying,
      replayed: part.replayed,
    });
    part.begin(appended.blobs);
    const commit = await appended.durable;
    if (part.isSetAside()) throw setAside(commit);
    const first = part.first();
    return { body: first?.body ?? Buffer.alloc(0), etag: `"${first?.etag ?? ''}"`, commit };
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
