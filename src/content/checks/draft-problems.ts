// What binds a document: types always, and formats, limits, options and required fields when it is or becomes published.
// A draft is saved with them, and the answer says what keeps it from being published. Pure.
import { MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Status, StoredDocument } from '../document.ts';
import { blockProblems } from './block-problems.ts';

/** The check of values that a document of this status has to pass. */
export function checkerFor(schema: CollectionSchema, status: Status): CollectionSchema['check'] {
  return status === 'published' ? schema.check : schema.checkTypes;
}

/**
 * What would refuse the publication of a document that is not published. What is still empty counts once the document
 * has a time for it: a draft may be incomplete.
 */
export function draftProblems(schema: CollectionSchema, doc: StoredDocument | undefined): Problem[] {
  if (!doc || doc.status === 'published') return [];
  return [
    ...blockProblems([doc], doc.data, schema.check(doc.data, Object.keys(doc.data))),
    ...(doc.publishAt === undefined ? [] : schema.checkRequired(doc.data)),
  ].slice(0, MAX_PROBLEMS);
}
