// What the keys that every document has are called in lists of changes.
import { addTexts } from './loaded.ts';

export const enKeys = {
  'key.slug': 'Slug',
  'key.status': 'Status',
  'key.locale': 'Locale',
  'key.translationOf': 'Translations',
  'key.translationGroup': 'Translations',
  'key.publishAt': 'Goes live',
  'key.unpublishAt': 'Goes offline',
} as const;

addTexts(enKeys);
