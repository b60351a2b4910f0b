// Which file belongs to a document: of its four layouts, and among files whose names differ only in case.
import { type FileLayout, type NamedDocument, otherPaths, pathOf, pathsOf } from './paths.ts';

export interface PlacesParts {
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** The same for a file or a folder. */
  hasAny(path: string): boolean;
  /** Paths of files that are not valid documents. */
  warnings: { keys(): Iterable<string> };
  /** The layout that the configuration wants for a collection's files. */
  layoutFor(collection: string): FileLayout;
  /** The document that is shown under that slug. */
  findShown(collection: string, slug: string): { layout: FileLayout } | undefined;
}

export interface DocumentPlaces {
  /** Path of a document's file, whether or not it exists. It stays where it is until its collection is moved. */
  pathOf(doc: NamedDocument): string;
  /** Path of a file or folder where the document's would be, or of a file whose name differs only in capitals. */
  findTaken(doc: NamedDocument): string | undefined;
}

export function createDocumentPlaces({ has, hasAny, warnings, layoutFor, findShown }: PlacesParts): DocumentPlaces {
  /** A clone on macOS or Windows holds only one of the two. Such a file is not a document, so it has a warning. */
  function findTwin(files: readonly string[]): string | undefined {
    for (const known of warnings.keys()) {
      const isTwin = (file: string): boolean =>
        known.length === file.length && known !== file && known.toLowerCase() === file;
      if (files.some(isTwin) && has(known)) return known;
    }
    return undefined;
  }

  return {
    pathOf(doc) {
      const wanted = pathOf(doc, layoutFor(doc.collection));
      const others = otherPaths(wanted).filter(has);
      if (others.length === 0) return wanted;
      if (others.length === 1 && !has(wanted)) return others[0]!;
      // Only one of them is shown, and the others are left alone.
      const shown = findShown(doc.collection, doc.slug);
      return shown ? pathOf(doc, shown.layout) : wanted;
    },
    findTaken(doc) {
      const files = pathsOf(doc);
      return files.find(hasAny) ?? findTwin(files);
    },
  };
}
