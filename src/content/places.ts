// Which file is a document's: in both layouts of a collection, and among files that differ only in the case of their
// letters.
import { pathOf } from './stored.ts';

type Named = Parameters<typeof pathOf>[0];

export interface PlacesParts {
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** The same of a file or a folder. */
  hasAny(path: string): boolean;
  /** Paths of files that are not valid documents. */
  warnings: { keys(): Iterable<string> };
  /** How the configuration wants a collection's files. */
  isSharded(collection: string): boolean;
  /** The document that is shown under that slug. */
  findShown(collection: string, slug: string): { isSharded: boolean } | undefined;
}

export interface DocumentPlaces {
  /** Where a document's file is, or goes. It stays where it is until its collection is moved. */
  pathOf(doc: Named): string;
  /** Path of a file or folder where the document's would be, or of a file that differs from it in capitals only. */
  findTaken(doc: Named): string | undefined;
}

export function createDocumentPlaces({ has, hasAny, warnings, isSharded, findShown }: PlacesParts): DocumentPlaces {
  /** A clone on macOS or Windows would hold one of the two. Such a file is no document, so it is among the warnings. */
  function findTwin(file: string): string | undefined {
    const folded = file.toLowerCase();
    for (const known of warnings.keys()) {
      if (known !== file && known.length === file.length && known.toLowerCase() === folded && has(known)) return known;
    }
    return undefined;
  }

  return {
    pathOf(doc) {
      const sharded = isSharded(doc.collection);
      const [wanted, other] = [pathOf(doc, sharded), pathOf(doc, !sharded)];
      if (!has(other)) return wanted;
      if (!has(wanted)) return other;
      // One of the two is not what is shown, and left alone.
      const shown = findShown(doc.collection, doc.slug);
      return shown ? pathOf(doc, shown.isSharded) : wanted;
    },
    findTaken(doc) {
      const files = [pathOf(doc, true), pathOf(doc, false)];
      return files.find(hasAny) ?? findTwin(files[0]!) ?? findTwin(files[1]!);
    },
  };
}
