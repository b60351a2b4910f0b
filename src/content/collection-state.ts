// A collection as decisions see it.
import type { CollectionSchema } from '../schema/collection.ts';
import type { StoredDocument } from './document.ts';

/** What a decision may know about the collection, always as of the last accepted write. */
export interface CollectionState {
  schema: CollectionSchema;
  findBySlug(slug: string): StoredDocument | undefined;
  /** Path of the file in the slug's place: a document's, or one that is not a document and must be left alone. */
  findTaken(slug: string): string | undefined;
  /** The slug itself, or with `-2`, `-3` and so on if it is taken. */
  freeSlug(base: string): string;
  /** Documents whose `translationOf` is this slug. */
  translationsOf(slug: string): StoredDocument[];
}
