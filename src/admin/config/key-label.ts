// What people read for a key of a document that was changed.
import { enKeys } from '../text/en-keys.ts';
import { type TextKey, t } from '../text/translate.ts';
import { type CollectionInfo, labelOf } from './manifest.ts';

/** The label of a field, or the name of a key that every document has. */
export function labelOfKey(name: string, collection: Pick<CollectionInfo, 'fields'> | undefined): string {
  const field = collection?.fields.find((one) => one.name === name);
  if (field) return labelOf(field);
  const key = `key.${name}`;
  return Object.hasOwn(enKeys, key) ? t(key as TextKey) : name;
}
