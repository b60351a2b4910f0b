// Inputs of the decisions about documents (decide.ts, restore.ts). Only their form has been checked.
import type { Data, Status, StoredDocument } from './document.ts';

export interface CreateInput {
  data: Data;
  slug?: string;
  status?: Status;
  locale?: string;
  translationOf?: string;
  translationGroup?: string;
  publishAt?: string | null;
  unpublishAt?: string | null;
}

export interface UpdateInput extends Partial<CreateInput> {
  /** Keys of `data` to remove. */
  unset?: string[];
  /** With a new slug: everybody who points to the document changes too. */
  updateReferences?: boolean;
}

/** A document to import. The server makes an absent id and absent dates. */
export interface ImportInput {
  slug: string;
  data: Data;
  status: Status;
  locale?: string;
  translationOf?: string;
  translationGroup?: string;
  /** Null clears a time. */
  publishAt?: string | null;
  unpublishAt?: string | null;
  /** Keys of `data` to remove. */
  unset?: string[];
  id?: string;
  createdAt?: string;
  updatedAt?: string;
}

export interface RestoreCommand {
  /** The version to restore. */
  version: StoredDocument;
  /** The commit that made it. */
  commit: string;
  /** The last version of a deleted document. */
  last: StoredDocument;
}
