// Values that only one document may have: those of unique fields, and a locale in a group of translations. Pure; decided
// on the documents as the last accepted write left them, so that two writes at once cannot both have one.
import { conflict, type Problem, type ServiceError } from '../../lib/errors.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { CollectionState } from '../collection-state.ts';
import type { UpdateInput } from '../commands.ts';
import type { StoredDocument } from '../document.ts';
import { toValueKey } from '../rows/value-index.ts';

type Also = readonly { after: StoredDocument }[] | undefined;

/** A document without a locale counts as one of the default locale. */
export function localeOf(doc: Pick<StoredDocument, 'locale'>, schema: CollectionSchema): string | undefined {
  return doc.locale ?? schema.locales.default;
}

/** The problem of a locale that the site, or the collection, does not have. */
export function localeProblems(schema: CollectionSchema, locale: string | undefined): Problem[] {
  const { all } = schema.locales;
  if (locale === undefined || all.length === 0 || all.includes(locale)) return [];
  const hint = didYouMean(locale, all) || `: it has ${all.join(', ')}`;
  return [{ path: 'locale', message: `"${locale}" is not a locale of ${schema.name}${hint}` }];
}

/** Throws 400 if another document of the group has the locale; only for a change of group or locale. */
export function groupProblems(
  state: CollectionState,
  before: StoredDocument | undefined,
  draft: StoredDocument,
  input: Pick<UpdateInput, 'locale' | 'translationOf'>,
  also: Also,
): Problem[] {
  const { translationGroup: group } = draft;
  const locale = localeOf(draft, state.schema);
  if (group === undefined || locale === undefined) return [];
  if (before?.translationGroup === group && localeOf(before, state.schema) === locale) return [];
  const others = new Map([...state.inGroup(group)].map((doc) => [doc.id, doc]));
  for (const { after } of also ?? []) if (after.translationGroup === group) others.set(after.id, after);
  for (const other of others.values()) {
    if (other.id === draft.id || localeOf(other, state.schema) !== locale) continue;
    const path = input.locale !== undefined || input.translationOf === undefined ? 'locale' : 'translationOf';
    return [{ path, message: `document "${other.slug}" has the locale "${locale}" in this group of translations` }];
  }
  return [];
}

/**
 * 409 if other documents have values of unique fields, with their slugs. Translations of one document
 * may share a value. Only values that this change brings are compared: those stored before are nobody's mistake.
 */
export function sharedConflict(
  state: CollectionState,
  before: StoredDocument | undefined,
  draft: StoredDocument,
  also: Also,
): ServiceError | undefined {
  const problems: Problem[] = [];
  for (const field of state.schema.unique) {
    const key = toValueKey(draft.data[field]);
    if (key === undefined) continue;
    const isSame = before !== undefined && toValueKey(before.data[field]) === key;
    if (isSame && before.translationGroup === draft.translationGroup) continue;
    for (const other of state.withValue(field, draft.data[field])) {
      if (other.id === draft.id || isTranslation(state.schema, draft, other, also)) continue;
      problems.push({ path: `data.${field}`, message: `document "${other.slug}" has this value already` });
      break;
    }
  }
  const [first] = problems;
  return first && conflict(`${first.path}: ${first.message}`, problems);
}

function isTranslation(schema: CollectionSchema, draft: StoredDocument, other: StoredDocument, also: Also): boolean {
  const now = also?.find(({ after }) => after.id === other.id)?.after ?? other;
  return isOfOneGroup(draft, now) && localeOf(draft, schema) !== localeOf(now, schema);
}

function isOfOneGroup(a: StoredDocument, b: StoredDocument): boolean {
  return a.translationGroup !== undefined && a.translationGroup === b.translationGroup;
}
