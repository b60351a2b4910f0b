// Which locales a document can have, and where its translations are.
import type { StoredDocument } from '../content/document.ts';
import { invalid } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { GenerationParts } from './parts.ts';

/** @throws ServiceError 400 for a locale that the site or the collection does not have */
export function checkLocale(
  { config }: Pick<GenerationParts, 'config'>,
  schema: CollectionSchema,
  locale: string,
): void {
  const known = schema.config.locales ?? config.locales;
  if (known.includes(locale)) return;
  const which = known.length > 0 ? `one of ${known.join(', ')}` : 'set: the configuration has no "locales"';
  throw invalid([{ path: 'locale', message: `"${locale}" is not ${which}` }]);
}

/** Slug of the document's translation into this locale, if there is one. */
export function findTranslation(
  { view, config }: Pick<GenerationParts, 'view' | 'config'>,
  doc: StoredDocument,
  locale: string,
): string | undefined {
  for (const row of view.collection(doc.collection)?.rows.values() ?? []) {
    if (row.id === doc.id || (row.locale ?? config.defaultLocale) !== locale) continue;
    const isOfGroup = doc.translationGroup !== undefined && row.translationGroup === doc.translationGroup;
    if (isOfGroup || row.translationOf === doc.slug || row.slug === doc.translationOf) return row.slug;
  }
  return undefined;
}
