// What a person has not saved yet, as the device keeps it, and how a tab changes it. Pure.
import type { DocumentBody, FieldEdit } from './edits.ts';
import type { Proposal } from './proposal.ts';
import type { EditKey } from './stored-document.ts';

/** A create whose answer has not come: repeated with the same key, it is made once. */
export interface PendingCreate {
  key: string;
  body: DocumentBody & { status?: string };
  /** True if the body is what a model proposed: it is stored as the model's. */
  isProposed?: boolean;
}

export interface KeptDraft {
  edits: readonly [EditKey, FieldEdit][];
  /** The tag of the document as it was last seen; undefined for one that does not exist yet. */
  etag: string | undefined;
  pendingCreate?: PendingCreate | undefined;
  proposal?: Proposal | undefined;
  /** For lists of drafts. */
  title: string;
  collection: string;
  /** Below the address of the collection: an id, or `new` with its query. */
  place: string;
  /** The last address of a document that exists. */
  slug?: string | undefined;
  /** ISO 8601. */
  at: string;
}

/** What one tab has changed in a draft since it wrote last: other tabs may have changed the rest of it. */
export interface DraftChange extends KeptDraft {
  /** Values that are not unsaved any more. */
  done: readonly EditKey[];
}

/** Undefined if nothing is left to be kept. */
export function withChange(draft: KeptDraft | undefined, { done, ...change }: DraftChange): KeptDraft | undefined {
  const edits = new Map(draft?.edits);
  for (const key of done) edits.delete(key);
  for (const [key, edit] of change.edits) edits.set(key, edit);
  return edits.size === 0 && !change.pendingCreate ? undefined : { ...change, edits: [...edits] };
}

const DRAFT = 'draft';

/** The place of a new document: its query says what it begins with, and which draft it is. */
export function toNewPlace(query: URLSearchParams, token: string | undefined): string {
  const named = new URLSearchParams(query);
  named.delete(DRAFT);
  if (token !== undefined) named.set(DRAFT, token);
  return named.size === 0 ? 'new' : `new?${named}`;
}

/** Which draft the address of a new document names. */
export function draftTokenOf(query: URLSearchParams): string | undefined {
  return query.get(DRAFT) ?? undefined;
}

/** The newest first, as they are given: drafts of new documents that begin with the same. */
export function isSameBeginning({ etag, place }: KeptDraft, query: URLSearchParams): boolean {
  if (etag !== undefined || !/^new(\?|$)/.test(place)) return false;
  return toNewPlace(new URLSearchParams(place.slice('new?'.length)), undefined) === toNewPlace(query, undefined);
}
