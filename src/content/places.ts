// Which file belongs to a document: in both layouts of a collection, and among files whose names differ only in case.
import { pathOf } from './stored.ts';

type Named = Parameters<typeof pathOf>[0];

export interface PlacesParts {
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** The same for a file or a folder. */
  hasAny(path: string): boolean;
  /** Paths of files that are not valid documents. */
  warnings: { keys(): Iterable<string> };
  /** Whether the configuration wants a collection's files in shards. */
  isSharded(collection: string): boolean;
  /** The document that is shown under that slug. */
  findShown(collection: string, slug: string): { isSharded: boolean } | undefined;
}

export interface DocumentPlaces {
  /** Path of a document's file, whether or not it exists. It stays where it is until its collection is moved. */
  pathOf(doc: Named): string;
  /** Path of a file or folder where the document's would be, or of a file whose name differs only in capitals. */
  findTaken(doc: Named): string | undefined;
}

export function createDocumentPlaces({ has, hasAny, warnings, isSharded, findShown }: PlacesParts): DocumentPlaces {
  /** A clone on macOS or Windows holds only one of the two. Such a file is not a document, so it has a warning. */
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
      // One of the two is not shown, and is left alone.
      const shown = findShown(doc.collection, doc.slug);
      return shown ? pathOf(doc, shown.isSharded) : wanted;
    },
    findTaken(doc) {
      const files = [pathOf(doc, true), pathOf(doc, false)];
      return files.find(hasAny) ?? findTwin(files[0]!) ?? findTwin(files[1]!);
    },
  };
}
