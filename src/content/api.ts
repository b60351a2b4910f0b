// The content capability's door, as its callers see it: HTTP, the programmatic interface, import and the scheduler.
import type { Readable } from 'node:stream';
import type { Actor } from '../access/principal.ts';
import type { CreateInput, ImportInput, RestoreCommand, UpdateInput } from './commands.ts';
import type { DocumentFieldMeta, FieldMeta, Status, StoredDocument } from './document.ts';

/** Only published documents are shown to anonymous readers, and to who has content:read-published alone. */
export interface Viewer {
  publishedOnly: boolean;
}

export interface ListQuery {
  status?: Status | 'all';
  locale?: string;
  limit?: number;
  offset?: number;
  orderBy?: string;
  order?: 'asc' | 'desc';
  tags?: string[];
  fields?: string[];
}

/** A single document's answer: its serialised JSON (without `_fieldMeta`) and its strong ETag (quoted). */
export interface DocumentAnswer {
  body: Buffer;
  etag: string;
}

export interface WrittenDocument extends DocumentAnswer {
  /** The commit, or null where nothing changed. */
  commit: string | null;
  /** Fields that an `ai` write left alone because they are locked. */
  skippedFields?: string[];
  /** The first answer was given again (Idempotency-Key). */
  replayed?: boolean;
}

export interface ListPage {
  /** Number of matches, whatever limit and offset say. */
  total: number;
  /** The whole `{documents, total}` JSON; a stream where it is long. */
  body: Buffer | Readable;
  /** Weak ETag. */
  etag: string;
}

export interface WriteOptions {
  requestId?: string;
  /** `If-Match`: says whether the document's current ETag (quoted) will do. */
  ifMatch?: (etag: string) => boolean;
  /** True for `If-None-Match: *` on create. */
  ifNoneMatch?: boolean;
  /** Scope (principal, method, path, key) and digest of the body. */
  idempotency?: { scope: string; bodyDigest: string };
}

/** How a caller names a document: by slug, or by id, or `idOrSlug` (by id, and by slug where no id matches). */
export type DocumentRef = { slug: string } | { id: string } | { idOrSlug: string };

/**
 * Every write resolves once it is durable; refusals are ServiceErrors and leave nothing behind. An actor with
 * `draftsOnly` gets 403 for what is public or would become so, whatever the write.
 */
export interface ContentService {
  /** Throws 404 for an unknown collection. */
  checkCollection(collection: string): void;
  /** 404 for an unknown collection. Reads see durable state only and touch no disk. */
  list(collection: string, query: ListQuery, viewer?: Viewer): ListPage;
  /** Undefined if `list` answers at once; a promise of that otherwise. To be asked before it. */
  prepareList(collection: string, query: ListQuery, viewer?: Viewer): Promise<void> | undefined;
  find(collection: string, ref: DocumentRef, viewer?: Viewer): DocumentAnswer | undefined;
  get(collection: string, ref: DocumentRef, viewer?: Viewer): DocumentAnswer;
  /** 404 for a document that is not there, 403 for one that the actor may not change: before a body is read. */
  checkDocument(collection: string, ref: DocumentRef, actor: Actor): void;
  /** The stored document with `_fieldMeta`, parsed anew (the caller may keep it). */
  stored(collection: string, ref: DocumentRef): StoredDocument | undefined;
  /** Every stored document of a collection in slug order (for export and verification). */
  each(collection: string): Iterable<StoredDocument>;
  create(collection: string, input: CreateInput, actor: Actor, options?: WriteOptions): Promise<WrittenDocument>;
  update(
    collection: string,
    ref: DocumentRef,
    input: UpdateInput,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<WrittenDocument>;
  remove(collection: string, ref: DocumentRef, actor: Actor, options?: WriteOptions): Promise<{ commit: string }>;
  /**
   * Writes a version of a document again, under its id: of a live one over what it is now, of a deleted one as if it had
   * never gone. 409 where the version's slug is another document's.
   */
  restore(collection: string, command: RestoreCommand, actor: Actor, options?: WriteOptions): Promise<WrittenDocument>;
  /**
   * Does the first thing that is due of a document's schedule by now, as an update would: decided on what the last
   * accepted write left. Undefined, and no commit, where nothing is due (any more), or no such document there.
   */
  applyDue(collection: string, id: string, actor: Actor): Promise<'published' | 'unpublished' | undefined>;
  /** Creates or updates one document as actor `import`; no change makes no commit. `dryRun` only tells what would be. */
  importDocument(
    collection: string,
    input: ImportInput,
    actor: Actor,
    options?: { dryRun?: boolean },
  ): Promise<'created' | 'updated' | 'unchanged'>;
  fieldMeta(collection: string, slug: string, viewer?: Viewer): DocumentFieldMeta;
  lockField(
    collection: string,
    slug: string,
    field: string,
    body: { userId?: string; reason?: string },
    actor: Actor,
    options?: WriteOptions,
  ): Promise<{ meta: FieldMeta; etag: string; commit: string | null }>;
  unlockField(
    collection: string,
    slug: string,
    field: string,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<{ meta: FieldMeta; etag: string; commit: string | null }>;
  lockAll(
    collection: string,
    slug: string,
    body: { userId?: string },
    actor: Actor,
    options?: WriteOptions,
  ): Promise<{ meta: DocumentFieldMeta; etag: string; commit: string | null }>;
  unlockAll(
    collection: string,
    slug: string,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<{ meta: DocumentFieldMeta; etag: string; commit: string | null }>;
}
