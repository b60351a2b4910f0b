// A Markdown file as a document: which keys of its front matter describe the document and which are its data.
import type { ImportInput } from '../content/commands.ts';
import { type Data, STATUSES, type Status } from '../content/document.ts';
import { invalid } from '../lib/errors.ts';
import { isSlug, toSlug } from '../lib/text/slug.ts';
import { findTextField, hasField, type TransferCollection } from './candidate.ts';
import { type GivenKey, parseDocumentKeys } from './document-keys.ts';
import { applyFieldRules, type FieldRules, NO_RULES } from './field-rules.ts';
import { parseFrontMatter } from './front-matter.ts';
import { findHeading } from './heading.ts';

/** A document as the file gives it; slug and locale come from the path if the file has none. */
export type FileInput = Omit<ImportInput, 'slug'> & { slug?: string };

/** `name` is the title of a file without front matter and without a heading. */
export function parseMarkdown(
  text: string,
  collection: TransferCollection,
  name: string,
  rules: FieldRules = NO_RULES,
): FileInput {
  const { data, body } = parseFrontMatter(text);
  return fromMatter(data ?? { title: findHeading(body) ?? name }, body, collection, rules);
}

/** `body` becomes the first richtext field. */
export function fromMatter(matter: Data, body: string, collection: TransferCollection, rules: FieldRules): FileInput {
  const input = fromFrontMatter(applyFieldRules(matter, rules, collection), collection);
  if (body !== '') {
    const field = findTextField(collection);
    if (field === undefined) throw invalid(`collection "${collection.name}" has no richtext field for the text`);
    if (input.data[field] !== undefined)
      throw invalid([{ path: field, message: 'is in the front matter and the text' }]);
    input.data[field] = body;
  }
  return input;
}

/**
 * `slug` and `draft` always describe the document. `status`, `locale`, `translationOf`, `translationGroup`, `publishAt`
 * and `unpublishAt` do unless the collection has a field of that name. Every other key is data, and so is a `status`
 * that the service does not know.
 */
export function fromFrontMatter(matter: Data, collection: TransferCollection): FileInput {
  const data: Data = { ...matter };
  const input: FileInput = { data, status: 'published' };
  const extract = (key: string) => {
    const value = matter[key];
    if (!hasField(collection, key)) delete data[key];
    return value ?? undefined;
  };

  const slug = extract('slug');
  if (slug !== undefined && slug !== '') input.slug = parseSlug(slug);

  if (!hasField(collection, 'status') && isStatus(matter.status)) input.status = extract('status') as Status;
  const draft = extract('draft');
  if (draft === true) input.status = 'draft';
  else if (draft !== undefined && draft !== false && !hasField(collection, 'draft')) {
    throw invalid([{ path: 'draft', message: 'expected true or false' }]);
  }

  const keys: Partial<Record<GivenKey, unknown>> = {};
  for (const key of ['locale', 'translationOf', 'translationGroup', 'publishAt', 'unpublishAt'] as const) {
    if (hasField(collection, key)) continue;
    const value = extract(key);
    if (value !== undefined) keys[key] = value;
  }
  return { ...input, ...parseDocumentKeys(keys) };
}

/** Returns the slug as written if it is valid, else one made from the text; `2024` without quotes is a number. */
export function parseSlug(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw invalid([{ path: 'slug', message: 'expected text' }]);
  const slug = isSlug(text) ? text : toSlug(text);
  if (slug === '') throw invalid([{ path: 'slug', message: `no slug can be made from "${text.slice(0, 100)}"` }]);
  return slug;
}

export function isStatus(value: unknown): value is Status {
  return (STATUSES as readonly unknown[]).includes(value);
}
