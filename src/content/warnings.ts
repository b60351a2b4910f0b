// Files of the repository that are not what they should be: told at /readyz and in the log, and left alone.
import type { Problem } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { StoredDocument } from './document.ts';

/** Paths of files, and what is wrong with them. */
export type Warnings = Map<string, string>;

/** Why a document would be refused if it came through the API. It is shown all the same: the schema may have changed. */
export function schemaProblem(doc: StoredDocument, schema: CollectionSchema): string | undefined {
  return toSentence(schemaProblems(doc, schema));
}

export function schemaProblems(doc: StoredDocument, schema: CollectionSchema): Problem[] {
  return [
    ...schema.check(doc.data, Object.keys(doc.data)),
    ...(doc.status === 'published' ? schema.checkRequired(doc.data) : []),
  ];
}

export function toSentence([first, ...others]: readonly Problem[]): string | undefined {
  if (!first) return undefined;
  return `does not fit the schema: ${first.path} ${first.message}${others.length ? ` and ${others.length} more` : ''}`;
}
