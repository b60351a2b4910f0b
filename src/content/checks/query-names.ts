// Names in the query of a list that its collection does not have. A locale is refused; a key is answered as before, with a
// warning: data may have keys that no field has. Pure.
import { invalid, type Problem } from '../../lib/errors.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { ListQuery } from '../api.ts';
import { DOCUMENT_KEYS } from '../document.ts';
import type { ListFilter } from '../lists/filter.ts';
import { isDocumentKey } from '../rows/key-values.ts';
import type { ContentView } from '../rows/view.ts';
import { localeProblems } from '../unique/unique-values.ts';

type Named = Pick<ListQuery, 'orderBy' | 'fields' | 'filter'>;

/** @throws ServiceError 400 with the nearest locale. */
export function checkLocales(
  schema: CollectionSchema,
  { locale, missingLocale }: Pick<ListQuery, 'locale' | 'missingLocale'>,
): void {
  const problems = [
    ...localeProblems(schema, locale),
    ...localeProblems(schema, missingLocale).map((problem) => ({ ...problem, path: 'missingLocale' })),
  ];
  if (problems.length > 0) throw invalid(problems);
}

/** A warning for each name in `orderBy`, `fields` and `filter` that neither a document nor the schema has. */
export function nameWarnings(schema: CollectionSchema, { orderBy, fields = [], filter = [] }: Named): Problem[] {
  const named: (Problem | undefined)[] = [];
  if (orderBy !== undefined) named.push(toWarning('orderBy', slipIn(schema, orderBy, false)));
  for (const field of new Set(fields)) named.push(toWarning('fields', slipIn(schema, field, false)));
  for (const key of new Set(filter.map((one) => one.key)))
    named.push(toWarning(`filter[${key}]`, slipIn(schema, key, true)));
  return named.filter((one) => one !== undefined).slice(0, MOST_WARNINGS);
}

/** The same for a search, which has a locale and filters, over one collection or all of them. */
export interface SearchedNames {
  /** @throws ServiceError 400 for a locale that none of them has. */
  checkLocale(locale: string, collection?: string): void;
  warningsOf(filter: readonly ListFilter[], collection?: string): Problem[];
}

export function createSearchedNames(view: Pick<ContentView, 'collection' | 'collections'>): SearchedNames {
  const schemasOf = (name: string | undefined): CollectionSchema[] => {
    if (name === undefined) return [...view.collections()].map(({ schema }) => schema);
    const one = view.collection(name);
    return one ? [one.schema] : [];
  };
  return {
    checkLocale(locale, name) {
      const problems = schemasOf(name).map((schema) => localeProblems(schema, locale));
      const [first] = problems;
      if (first && problems.every((some) => some.length > 0)) throw invalid(first);
    },
    warningsOf(filter, name) {
      const schemas = schemasOf(name);
      return filter.slice(0, MOST_WARNINGS).flatMap(({ key }) => {
        const messages = schemas.map((schema) => slipIn(schema, key, true));
        const message = messages.find((one) => one?.endsWith('?')) ?? messages[0];
        return message === undefined || messages.includes(undefined) ? [] : [{ path: `filter[${key}]`, message }];
      });
    },
  };
}

const MOST_WARNINGS = 20;

function toWarning(path: string, message: string | undefined): Problem | undefined {
  return message === undefined ? undefined : { path, message };
}

/** What is wrong with a name; undefined if it is known. Only filters look inside a field: `place.lat`. */
function slipIn(schema: CollectionSchema, key: string, isNested: boolean): string | undefined {
  if (isDocumentKey(key) || schema.fields.has(key) || key.startsWith('_')) return undefined;
  const message = `"${key}" is not a field of ${schema.name}`;
  const parts = isNested ? key.split('.') : [key];
  let fields = [...schema.fields.values()];
  for (const [depth, part] of parts.entries()) {
    const field = fields.find(({ name }) => name === part);
    if (!field) {
      const names = fields.map(({ name }) => name);
      const before = parts.slice(0, depth).join('.');
      const known = depth === 0 ? [...names, ...DOCUMENT_KEYS] : names.map((name) => `${before}.${name}`);
      return message + didYouMean(depth === 0 ? part : `${before}.${part}`, known);
    }
    // Below other types, such as json and blocks, there may be any key.
    if (!field.fields) return undefined;
    fields = field.fields;
  }
  return undefined;
}
