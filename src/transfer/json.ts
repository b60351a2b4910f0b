// A JSON file as a document: one in the shape of a stored document keeps its id, dates and status; any other object is
// the document's data, with the same document keys as front matter.
import type { Data } from '../content/document.ts';
import { invalid } from '../lib/errors.ts';
import { isObject, parseJson } from '../lib/json.ts';
import { hasField, type TransferCollection } from './candidate.ts';
import { type GivenKey, parseDocumentKeys } from './document-keys.ts';
import { applyFieldRules, type FieldRules, NO_RULES } from './field-rules.ts';
import { type FileInput, fromFrontMatter, isStatus, parseSlug } from './markdown.ts';
import { toPlainObject } from './plain.ts';

const OPTIONAL_KEYS = [
  'locale',
  'translationOf',
  'translationGroup',
  'publishAt',
  'unpublishAt',
  'id',
  'createdAt',
  'updatedAt',
] as const satisfies GivenKey[];
// Field metadata has its own operations for reading and changing; an import sets its own.
const STORED_KEYS = new Set<string>([...OPTIONAL_KEYS, 'slug', 'status', 'collection', 'data', '_fieldMeta']);

export function parseJsonFile(text: string, collection: TransferCollection, rules: FieldRules = NO_RULES): FileInput {
  const value = parseJson(text);
  if (!isObject(value)) throw invalid('expected a JSON object');
  if (isStored(value, collection)) return fromStored(withRules(value, collection, rules));
  return fromFrontMatter(applyFieldRules(toPlainObject(value), rules, collection), collection);
}

/** In the shape of a stored document, keys of the document are set beside its data, all others in it. */
function withRules(stored: Data, collection: TransferCollection, { map, set }: FieldRules): Data {
  const isOfDocument = ([key]: readonly [string, string]) => STORED_KEYS.has(key) && !hasField(collection, key);
  const data = applyFieldRules(
    toPlainObject(stored.data),
    { map, set: set.filter((one) => !isOfDocument(one)) },
    collection,
  );
  return { ...stored, ...Object.fromEntries(set.filter(isOfDocument)), data };
}

/** The collection that a stored document names; for files without a collection folder. */
export function findCollection(text: string): string | undefined {
  const value = parseJson(text);
  return isObject(value) && isObject(value.data) && typeof value.collection === 'string' ? value.collection : undefined;
}

/**
 * True for `data` with nothing but keys of a document; if the collection has a field `data`, id and status are required
 * too.
 */
function isStored(value: Data, collection: TransferCollection): boolean {
  if (!isObject(value.data) || !Object.keys(value).every((key) => STORED_KEYS.has(key))) return false;
  return !hasField(collection, 'data') || (typeof value.id === 'string' && isStatus(value.status));
}

function fromStored(stored: Data): FileInput {
  const { status = 'published' } = stored;
  if (!isStatus(status)) throw invalid([{ path: 'status', message: 'expected draft, published or archived' }]);
  const input: FileInput = { data: toPlainObject(stored.data), status };
  if (typeof stored.slug === 'string' && stored.slug !== '') input.slug = parseSlug(stored.slug);
  // null stands for an absent key, as in a request.
  const given = OPTIONAL_KEYS.filter((key) => (stored[key] ?? undefined) !== undefined);
  return { ...input, ...parseDocumentKeys(Object.fromEntries(given.map((key) => [key, stored[key]]))) };
}
