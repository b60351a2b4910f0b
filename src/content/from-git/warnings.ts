// Files of the repository that have a problem: reported at /readyz and in the process log, and left alone.
import { MAX_PATH_LENGTH, type Problem } from '../../lib/errors.ts';
import { isLocale } from '../../lib/text/locale.ts';
import type { MergeConflict } from '../../lib/text/merge-conflicts.ts';
import { nearest } from '../../lib/text/nearest.ts';
import type { Warn } from '../../lib/warn.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import { isStructural } from '../../store/intake/intake-tree.ts';
import { checkerFor } from '../checks/draft-problems.ts';
import type { StoredDocument } from '../document.ts';
import { FieldMetaSchema } from '../input.ts';
import { FILE_KEYS } from '../stored.ts';

/** What is wrong with files, by path. */
export type Warnings = Map<string, string>;

export interface WarnParts {
  warnings: Warnings;
  /** Reports a file to the operator. */
  warn: Warn;
}

/** Reports a file's problem once; undefined removes the warning. A problem with the file's name or folder stays. */
export function warnOfFile({ warnings, warn }: WarnParts, path: string, problem: string | undefined): void {
  const known = warnings.get(path);
  if (
    known === problem ||
    (known !== undefined && isStructural(path, known) && !(problem && isStructural(path, problem)))
  )
    return;
  if (problem === undefined) warnings.delete(path);
  else {
    warnings.set(path, problem);
    warn(`${path}: ${problem}`);
  }
}

/** Why the API would refuse the document. It is shown anyway, because the schema may have changed. */
export function schemaProblem(doc: StoredDocument, schema: CollectionSchema): string | undefined {
  const [first, ...others] = schemaProblems(doc, schema);
  return first && toSchemaProblem(first) + (others.length ? ` and ${others.length} more` : '');
}

export function schemaProblems(doc: StoredDocument, schema: CollectionSchema): Problem[] {
  return [
    ...keyProblems(doc),
    ...checkerFor(schema, doc.status)(doc.data, Object.keys(doc.data)),
    ...(doc.status === 'published' ? schema.checkRequired(doc.data) : []),
  ];
}

/**
 * Problems of the keys beside `data`. A missing source is not one: deleting a source leaves its translations as they
 * are.
 */
function keyProblems({ slug, locale, translationOf, _fieldMeta = {} }: StoredDocument): Problem[] {
  const problems: Problem[] = [];
  if (locale !== undefined && !isLocale(locale)) {
    problems.push({ path: 'locale', message: 'expected a BCP 47 language tag' });
  }
  if (translationOf === slug) problems.push({ path: 'translationOf', message: 'is the document itself' });
  for (const [field, meta] of Object.entries(_fieldMeta)) {
    const issue = FieldMetaSchema.safeParse(meta).error?.issues[0];
    if (!issue) continue;
    problems.push({ path: ['_fieldMeta', field, ...issue.path].join('.'), message: issue.message });
    break;
  }
  return problems;
}

/** A key beside `data` that no document has: most often a slip, or a field that belongs into `data`. */
export function unknownKeyProblem(key: string, schema: CollectionSchema): Problem {
  const meant = nearest(key, FILE_KEYS);
  const hint = schema.fields.has(key)
    ? '; it is a field, put it into "data"'
    : meant
      ? `; did you mean "${meant}"?`
      : '; fields belong into "data"';
  return { path: key.slice(0, MAX_PATH_LENGTH), message: `is not a key of a document${hint}` };
}

export function toSchemaProblem({ path, message }: Problem): string {
  return `does not fit the schema: ${path} ${message}`;
}

export function toConflictMessage({ first, last }: Pick<MergeConflict, 'first' | 'last'>): string {
  const where = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  return `merge conflict in ${where} (<<<<<<<, =======, >>>>>>>); resolve it, or indent its lines if they belong to the text`;
}
