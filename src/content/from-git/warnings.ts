// Files of the repository that are not what they should be: told at /readyz and in the log, and left alone.
import type { Problem } from '../../lib/errors.ts';
import { isLocale } from '../../lib/text/locale.ts';
import type { Warn } from '../../lib/warn.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import { isStructural } from '../../store/intake/intake-tree.ts';
import type { StoredDocument } from '../document.ts';
import { FieldMetaSchema } from '../input.ts';

/** Paths of files, and what is wrong with them. */
export type Warnings = Map<string, string>;

export interface WarnParts {
  warnings: Warnings;
  /** Tells an operator about a file. */
  warn: Warn;
}

/** Tells what is wrong with a file, once; undefined if nothing is. What is wrong with its name stays. */
export function warnOfFile({ warnings, warn }: WarnParts, path: string, problem: string | undefined): void {
  const told = warnings.get(path);
  if (told === problem || (told !== undefined && isStructural(path, told) && !(problem && isStructural(path, problem))))
    return;
  if (problem === undefined) warnings.delete(path);
  else {
    warnings.set(path, problem);
    warn(`${path}: ${problem}`);
  }
}

/** Why a document would be refused if it came through the API. It is shown all the same: the schema may have changed. */
export function schemaProblem(doc: StoredDocument, schema: CollectionSchema): string | undefined {
  return toSchemaProblem(schemaProblems(doc, schema));
}

export function schemaProblems(doc: StoredDocument, schema: CollectionSchema): Problem[] {
  return [
    ...keyProblems(doc),
    ...schema.check(doc.data, Object.keys(doc.data)),
    ...(doc.status === 'published' ? schema.checkRequired(doc.data) : []),
  ];
}

/** Of the keys beside `data`. A source that is not there is no problem: its deletion leaves its translations so. */
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

export function toSchemaProblem([first, ...others]: readonly Problem[]): string | undefined {
  if (!first) return undefined;
  return `does not fit the schema: ${first.path} ${first.message}${others.length ? ` and ${others.length} more` : ''}`;
}
