// Writes a document as Markdown with YAML front matter, or reports that this would not read back as the same document.
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { Document } from '../content/document.ts';
import { ServiceError } from '../lib/errors.ts';
import { findTextField, type TransferCollection } from './candidate.ts';
import { YAML_OPTIONS } from './front-matter.ts';
import { parseMarkdown } from './markdown.ts';

/**
 * Returns undefined if Markdown cannot carry the document: a data key that front matter reserves for the document
 * (`draft` in a collection without such a field), or a status hidden by a field `status`. Markdown never carries the
 * id, `createdAt` and `updatedAt`.
 */
export function toMarkdown(document: Document, collection: TransferCollection): string | undefined {
  const textField = findTextField(collection);
  for (const field of textField === undefined ? [undefined] : [textField, undefined]) {
    const text = writeMarkdown(document, field);
    if (readsBack(text, document, collection)) return text;
  }
  return undefined;
}

/**
 * `textField` goes below the front matter, or into it if it could not be read back from below (it ends with blank
 * lines).
 */
function writeMarkdown(document: Document, textField: string | undefined): string {
  const { slug, status, locale, translationOf, translationGroup, publishAt, unpublishAt, data } = document;
  const own = {
    slug,
    draft: status === 'draft' ? true : undefined,
    status: status === 'archived' ? status : undefined,
    locale,
    translationOf,
    translationGroup,
    publishAt,
    unpublishAt,
  };
  const matter = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const body = textField === undefined ? undefined : data[textField];
  for (const [key, value] of Object.entries(data)) {
    const isBody = key === textField && typeof body === 'string' && body !== '';
    if (!isBody) matter[key] = value as never;
  }
  const yaml = stringify(matter, { ...YAML_OPTIONS, lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${yaml}---\n${typeof body === 'string' && body !== '' ? `\n${body}\n` : ''}`;
}

function readsBack(text: string, document: Document, collection: TransferCollection): boolean {
  const { id: _id, collection: _collection, createdAt: _createdAt, updatedAt: _updatedAt, ...expected } = document;
  try {
    return isDeepStrictEqual(parseMarkdown(text, collection, ''), expected);
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
