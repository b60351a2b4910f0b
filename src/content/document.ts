// The document, as the API answers it and as the content repository stores it (decisions.md, sections 4 and 5).
import type { Actor } from '../access/principal.ts';

export const STATUSES = ['draft', 'published', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

export type Data = Record<string, unknown>;

/** The contract's Document, which every standard response carries. `_fieldMeta` is never part of it. */
export interface Document {
  id: string;
  slug: string;
  collection: string;
  status: Status;
  locale?: string;
  translationOf?: string;
  translationGroup?: string;
  /** ISO 8601, absent when nothing is scheduled. */
  publishAt?: string;
  unpublishAt?: string;
  createdAt: string;
  updatedAt: string;
  data: Data;
}

/** Keys of a document in file order; `data` and `_fieldMeta` follow them. */
export const DOCUMENT_KEYS = [
  'id',
  'slug',
  'collection',
  'status',
  'locale',
  'translationOf',
  'translationGroup',
  'publishAt',
  'unpublishAt',
  'createdAt',
  'updatedAt',
] as const;

export type DocumentKey = (typeof DOCUMENT_KEYS)[number];

export interface FieldMeta {
  lockedBy?: 'user' | 'ai' | 'import';
  lockedAt?: string;
  userId?: string;
  reason?: string;
  aiGenerated?: boolean;
  aiGeneratedAt?: string;
  aiModel?: string;
}

export type DocumentFieldMeta = Record<string, FieldMeta>;

/** The document with its field metadata: what its file says. */
export interface StoredDocument extends Document {
  _fieldMeta?: DocumentFieldMeta;
}

/** Event names are a file format: add, never rename. */
export type EventName =
  | 'document.created'
  | 'document.updated'
  | 'document.renamed'
  | 'document.published'
  | 'document.unpublished'
  | 'document.archived'
  | 'document.deleted'
  | 'document.restored'
  | 'field.locked'
  | 'field.unlocked'
  | 'content.imported'
  | 'content.bulk';

/** A document that stays and changes. */
export interface ChangedDocument {
  before: StoredDocument;
  after: StoredDocument;
}

/** The outcome of a decision: one event is one commit. */
export interface DocumentEvent {
  name: EventName;
  /** Undefined for a creation. */
  before: StoredDocument | undefined;
  /** Undefined for a deletion. */
  after: StoredDocument | undefined;
  /** Names of the data fields (or document keys such as `slug`, `publishAt`) that changed. */
  fields: string[];
  /** Other documents that change in the same commit (a translation's source gets its group). */
  also?: ChangedDocument[];
  /** The other documents of a bulk request, in an order in which each slug is free before another document has it. */
  others?: { before: StoredDocument | undefined; after: StoredDocument | undefined }[];
  actor: Actor;
  /** For a restoration: the commit that made the restored version. */
  restoredFrom?: string;
}
