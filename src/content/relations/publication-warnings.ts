// What a document that is published points to and nobody can see: drafts, archived documents, and documents that are not
// there. Nobody is refused for it; the answer says so. Pure, on the documents as the last accepted write left them.
import { MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import type { DocumentEvent, StoredDocument } from '../document.ts';
import type { PendingState } from '../pending.ts';
import { isMediaKey } from './pointers.ts';
import type { ReferenceIndex } from './reference-index.ts';

/** Links are looked up one by one, and each may be a document to parse. */
const MAX_LINKS = 500;

export type SeenState = Pick<PendingState, 'findBySlug' | 'statusOf'>;

/** For a publication everything that the document points to, for a change of a published one what the change wrote. */
export function publicationWarnings(
  index: Pick<ReferenceIndex, 'pointersOf' | 'addresses'>,
  state: SeenState,
  { before, after, fields }: Pick<DocumentEvent, 'before' | 'after' | 'fields'>,
): Problem[] {
  if (after?.status !== 'published') return [];
  const isPublication = before?.status !== 'published';
  if (!isPublication && fields.length === 0) return [];
  const isItself = (collection: string, slug: string): boolean =>
    collection === after.collection && slug === after.slug;
  const find = (collection: string, slug: string): StoredDocument | undefined =>
    isItself(collection, slug) ? after : state.findBySlug(collection, slug)?.doc;
  const known = new Map<string, string | undefined>();
  let links = 0;

  function problemOf(key: string): string | undefined {
    if (!key.startsWith('/')) {
      const [collection = '', slug = ''] = key.split('/');
      const isShown = isItself(collection, slug) || state.statusOf(collection, slug) === 'published';
      return isShown ? undefined : `points to ${key}, which is not published`;
    }
    if (isMediaKey(key) || ++links > MAX_LINKS) return undefined;
    const there = index.addresses.at(key, find);
    const isShown = there.some(({ status }) => status === 'published');
    const isMissing = there.length > 0 ? !isShown : index.addresses.isOfDocument(key);
    return isMissing ? `links to ${key}, but nothing is published there` : undefined;
  }

  const warnings: Problem[] = [];
  for (const { key, field } of index.pointersOf(after)) {
    if (!isPublication && !fields.includes(field.split('.', 1)[0]!)) continue;
    if (!known.has(key)) known.set(key, problemOf(key));
    const message = known.get(key);
    if (message !== undefined && warnings.push({ path: `data.${field}`, message }) >= MAX_PROBLEMS) break;
  }
  return warnings;
}
