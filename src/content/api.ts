// The content capability's door, as its callers see it: HTTP, the programmatic interface, import and the scheduler.
import type { Readable } from 'node:stream';
import type { Actor } from '../access/principal.ts';
import type { Problem, ServiceError } from '../lib/errors.ts';
import type { BulkRequest } from './bulk/bulk-request.ts';
import type { CreateInput, ImportInput, RestoreCommand, UpdateInput } from './commands.ts';
import type { DocumentsPart } from './commits/documents-part.ts';
import type { Idempotency } from './commits/idempotency.ts';
import type { Data, DocumentFieldMeta, FieldMeta, Status, StoredDocument } from './document.ts';
import type { ListFilter } from './lists/filter.ts';
import type { MediaMove } from './relations/move-pointers.ts';

/** Anonymous readers, and readers with only content:read-published, see published documents only. */
export interface Viewer {
  publishedOnly: boolean;
  /** Collections besides the one that is asked for, whose documents may be included; all if absent. */
  mayRead?: (collection: string) => boolean;
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
  /** All of them must match. */
  filter?: ListFilter[];
  /** Terms of a search; the documents must have every one. */
  q?: string;
  /** Only documents without a translation in this locale that the reader may see. */
  missingLocale?: string;
  /** Only documents that wait for a time to be published or withdrawn. */
  scheduled?: true;
  /** Relations whose documents are part of the answer: `author`, `related.author`. */
  include?: string[];
}

/** How many documents of a selection have what; each count leaves out the query's own choice of that kind. */
export interface Facets {
  total: number;
  status: Record<Status, number>;
  /** By language tag; a document without one has the default locale. */
  locale: Record<string, number>;
  /** The most used first. */
  tags: { value: string; count: number }[];
  scheduled: number;
  /** Names in the query that neither documents nor the schema have. */
  warnings?: Problem[];
}

/** The answer for a single document: its serialised JSON (without `_fieldMeta`) and its strong ETag (quoted). */
export interface DocumentAnswer {
  body: Buffer;
  etag: string;
}

export interface WrittenDocument extends DocumentAnswer {
  /** The commit, or null if nothing changed. */
  commit: string | null;
  /** Fields that an `ai` write left alone because they are locked. */
  skippedFields?: string[];
  /** What the document points to and readers cannot see, if it is published; else what keeps it from being published. */
  warnings?: Problem[];
  /** True if this repeats the first answer to the same Idempotency-Key. */
  replayed?: boolean;
}

/** The answer to one operation of a bulk request; without a document for a deletion. */
export interface BulkResult {
  status: number;
  document?: unknown;
  etag?: string;
  skippedFields?: string[];
  warnings?: Problem[];
  error?: string;
  code?: string;
  details?: Problem[];
  /** Who points to a document that was to be deleted only if nobody does: the first of `total`. */
  references?: readonly Reference[];
  total?: number;
}

export interface BulkOutcome {
  answers: BulkResult[];
  /** Null if nothing changed, and without `atomic`. */
  commit: string | null;
  /** True if this repeats the first answer to the same Idempotency-Key. */
  replayed?: boolean;
}

export interface ListPage {
  /** Number of all matches, regardless of limit and offset. */
  total: number;
  /** The whole `{documents, total}` JSON; a stream if it is long. */
  body: Buffer | Readable;
  /** Weak ETag. */
  etag: string;
}

/** A place that points to a document: a relation, or a link in rich text. */
export interface Reference {
  collection: string;
  slug: string;
  title: string;
  /** Dotted path: `author`, `parts.0.by`. */
  field: string;
}

export interface WriteOptions {
  requestId?: string;
  /** `If-Match`: returns true if it accepts the document's current ETag (quoted). */
  ifMatch?: (etag: string) => boolean;
  /**
   * For a create and an update: answers what would be stored, with a made-up id and no tag, or refuses with all problems
   * at once. Nothing is stored.
   */
  dryRun?: boolean;
  /** For a deletion: 409 if another document points to it. */
  ifUnreferenced?: boolean;
  /** True for `If-None-Match: *` on create. */
  ifNoneMatch?: boolean;
  /** With `answer` that is kept, and not a document; `isBegun`: the caller has looked for an earlier answer. */
  idempotency?: Idempotency & { answer?: Buffer; isBegun?: boolean };
}

export interface OfferedImport {
  collection: string;
  input: ImportInput;
}

export interface ImportMode {
  dryRun?: boolean;
  /** A new document gets the default values that its file leaves out. */
  fillDefaults?: boolean;
}

export interface ImportAnswer {
  outcome: 'created' | 'updated' | 'unchanged';
  /** What stays because people changed it, keys that no field has, and what a write warns of. */
  warnings: Problem[];
}

/** Documents that change along with a media file: their part of its commit, and the trailers that name them. */
export interface FollowedMedia {
  trailers: string[];
  part: DocumentsPart;
}

/** How a caller names a document: by slug, by id, or by `idOrSlug` (the id, or the slug if no id matches). */
export type DocumentRef = { slug: string } | { id: string } | { idOrSlug: string };

/**
 * Every write resolves once it is durable; refusals are ServiceErrors and change nothing. An actor with `draftsOnly`
 * gets 403 for every write to a document that is public or would become public.
 */
export interface ContentService {
  /** Builds what decisions ask for in the background, so that the first write does not wait; reports shared values. */
  warm(): Promise<void>;
  /** Throws 404 for an unknown collection. */
  checkCollection(collection: string): void;
  /** Throws 404 for an unknown collection. Reads see durable state only and do not touch the disk. */
  list(collection: string, query: ListQuery, viewer?: Viewer): ListPage;
  /**
   * Call it before `list`: returns undefined if `list` can answer at once, else a promise that resolves when it can.
   */
  prepareList(collection: string, query: ListQuery, viewer?: Viewer): Promise<void> | undefined;
  /** Counts over the matches of a list; its order and page are ignored. */
  facets(collection: string, query: ListQuery, viewer?: Viewer): Promise<{ facets: Facets; etag: string }>;
  find(collection: string, ref: DocumentRef, viewer?: Viewer): DocumentAnswer | undefined;
  /** With `include`, the tag is weak and over the whole answer. */
  get(collection: string, ref: DocumentRef, viewer?: Viewer, include?: readonly string[]): DocumentAnswer;
  /** The JSON of the documents that relations in these data name, by `<collection>/<slug>`. */
  included(collection: string, include: readonly string[], data: Iterable<Data>, viewer?: Viewer): string;
  /** Who points to a document. The first question builds an index in slices. */
  references(
    collection: string,
    ref: DocumentRef,
    page: { limit?: number; offset?: number },
    viewer?: Viewer,
  ): Promise<{ references: Reference[]; total: number }>;
  /** The same for addresses of media files, as documents have them. */
  referencesTo(
    addresses: readonly string[],
    page: { limit?: number; offset?: number },
    viewer?: Viewer,
  ): Promise<{ references: Reference[]; total: number }>;
  /** Call it before `followMedia`: undefined if that can answer at once. */
  prepareReferences(): Promise<void> | undefined;
  /**
   * The documents that point to a media file, with its new address: for the commit that moves the file, in the same
   * turn. Throws 403 or 409 if the actor may not change one of them, 413 if they are too many.
   */
  followMedia(move: MediaMove, actor: Actor): FollowedMedia;
  /** Throws 404 if there is no such document, 403 if the actor may not change it: for a check before a body is read. */
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
  /**
   * Throws what an update of a draft with this data would throw, and changes nothing: for previews of what is not saved.
   */
  checkDraft(collection: string, ref: DocumentRef, data: Data, actor: Actor): Promise<void>;
  /** Operations in order, each seeing the ones before it; with `atomic` one commit, or a refusal and nothing. */
  bulk(collection: string, request: BulkRequest, atomic: boolean): Promise<BulkOutcome>;
  remove(collection: string, ref: DocumentRef, actor: Actor, options?: WriteOptions): Promise<{ commit: string }>;
  /**
   * Writes a version of a document again, under its id: over the present document, or, if that was deleted, as if it
   * had never been. Throws 409 if another document has the version's slug.
   */
  restore(collection: string, command: RestoreCommand, actor: Actor, options?: WriteOptions): Promise<WrittenDocument>;
  /**
   * Applies the first step of a document's schedule that is due by now, as an update would: decided on the document as
   * the last accepted write left it. Returns undefined, without a commit, if nothing is due (any more) or there is no
   * such document. `onWarnings` gets what a publication points to and readers cannot see.
   */
  applyDue(
    collection: string,
    id: string,
    actor: Actor,
    onWarnings?: (warnings: readonly Problem[]) => void,
  ): Promise<'published' | 'unpublished' | undefined>;
  /**
   * Creates a document, or changes in it what has changed in its file since the last import of it; commits only if it
   * changes. With `dryRun` it decides as it would otherwise, and writes nothing.
   */
  importDocument(collection: string, input: ImportInput, actor: Actor, options?: ImportMode): Promise<ImportAnswer>;
  /** The same for many, in this order, each decided on those before it: one commit, or nothing if one is refused. */
  importAll(
    documents: readonly OfferedImport[],
    actor: Actor,
    options?: ImportMode,
  ): Promise<(ImportAnswer | ServiceError)[]>;
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
