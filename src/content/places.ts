// Where the file of a document is, or goes, and whether another one is in the way.
import type { SiteSchema } from '../schema/collection.ts';
import { pathOf } from './stored.ts';
import type { ContentView } from './view.ts';
import type { Warnings } from './warnings.ts';

export interface PlaceParts {
  schema: SiteSchema;
  view: ContentView;
  warnings: Warnings;
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
}

interface Place {
  collection: string;
  slug: string;
}

export interface Places {
  /** Both layouts are read, and a document stays where it is until the collection is moved. */
  pathOf(doc: Place): string;
  /** Whether a file is at a document's place, valid or not, as of the last accepted write. */
  isTaken(doc: Place): boolean;
}

export function createPlaces({ schema, view, warnings, has }: PlaceParts): Places {
  /** A clone on macOS or Windows would hold one of the two. Such a file is no document, so it is among the warnings. */
  function hasTwin(path: string): boolean {
    const folded = path.toLowerCase();
    for (const known of warnings.keys()) {
      const isAlike = known.length === path.length && known !== path && known.toLowerCase() === folded;
      if (isAlike && has(known)) return true;
    }
    return false;
  }

  return {
    pathOf(doc) {
      const sharded = schema.collections.get(doc.collection)?.config.sharded === true;
      const [wanted, other] = [pathOf(doc, sharded), pathOf(doc, !sharded)];
      if (!has(other)) return wanted;
      if (!has(wanted)) return other;
      // One of the two is not what is shown, and left alone.
      const row = view.bySlug(doc.collection, doc.slug);
      return row ? pathOf(doc, row.isSharded) : wanted;
    },
    isTaken: (doc) =>
      [false, true].some((sharded) => {
        const path = pathOf(doc, sharded);
        return has(path) || hasTwin(path);
      }),
  };
}
