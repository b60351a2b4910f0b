// How the documents beside a configuration differ from a site's own. They are planted once, and later starts leave the
// site as it is: without a word about it, an edit of such a file would be lost in silence. Pure.
import { isEqual } from '../../lib/equal.ts';
import type { StoredDocument } from '../document.ts';
import type { Starter } from './starter.ts';

/** Keys that the site gives a document, or changes by itself. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'translationGroup', '_fieldMeta']);
const MAX_NAMED = 10;

/** Paths of the files whose document is another one in the site, or is not there. */
export function starterDifferences(
  documents: Starter['documents'],
  find: (collection: string, slug: string) => StoredDocument | undefined,
): string[] {
  return documents.flatMap(({ path, doc }) => {
    const there = find(doc.collection, doc.slug);
    return there && isEqual(withoutOwn(there), withoutOwn(doc)) ? [] : [path];
  });
}

function withoutOwn(doc: StoredDocument): object {
  return Object.fromEntries(Object.entries(doc).filter(([key]) => !OWN.has(key)));
}

/** Undefined if there is nothing to say. */
export function toDifferencesText(folder: string, paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  const count = paths.length === 1 ? 'one document differs' : `${paths.length} documents differ`;
  return (
    `${folder} was planted once, and ${count} from the site's, which stay as they are: ` +
    `${paths.slice(0, MAX_NAMED).join(', ')}${more}; push or import them to change the site`
  );
}
