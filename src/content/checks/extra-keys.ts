// What fields that were renamed or dropped leave behind: documents with keys that no field has. The views count these keys
// as rows come and go, so that no document is read for it. Keys inside of objects are not counted.
import { nearest } from '../../lib/text/nearest.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import type { ContentView } from '../rows/view.ts';

/** More keys of a collection than anybody reads; data may have any number of them. */
const MOST_KEYS = 10;

/** A sentence for each key and collection, for the log of a start and for /readyz. */
export type ExtraKeyNotes = () => string[];

export function createExtraKeyNotes(view: Pick<ContentView, 'collections'>): ExtraKeyNotes {
  const known = new WeakMap<CollectionView, { version: string; notes: string[] }>();
  return () =>
    [...view.collections()].flatMap((collection) => {
      const before = known.get(collection);
      if (before?.version === collection.version) return before.notes;
      const notes = notesOf(collection);
      known.set(collection, { version: collection.version, notes });
      return notes;
    });
}

function notesOf({ schema, extraKeys }: CollectionView): string[] {
  // Names that begin with `_` belong to programs.
  const counted = [...extraKeys].filter(([key]) => !key.startsWith('_')).sort(([, a], [, b]) => b - a);
  const notes = counted.slice(0, MOST_KEYS).map(([key, count]) => {
    const documents = count === 1 ? '1 document has' : `${count} documents have`;
    const meant = nearest(key, [...schema.fields.keys()]);
    return `${schema.name}: ${documents} the key "${key}", which is not a field${meant ? `; was it renamed to "${meant}"?` : ''}`;
  });
  const others = counted.length - notes.length;
  if (others > 0) notes.push(`${schema.name}: documents have ${others} more keys that are not fields`);
  return notes;
}
