// A file of a change: what was read from it, its state after the change, and what the view shows beside it.
import type { FileLayout } from '../files/paths.ts';
import type { Row } from '../rows/row.ts';

export interface FileReading {
  /** Undefined if the file is not a document. */
  row: Row | undefined;
  /** Why the file is not a document, or what is wrong with its values. */
  problem: string | undefined;
}

/** A file after the change; `row` is that of its document, shown or not. */
export interface FileNow extends FileReading {
  path: string;
  isThere: boolean;
  /** Collection and slug of the path; undefined if it is not a document's. */
  place: { collection: string; slug: string } | undefined;
  layout: FileLayout;
  /** Absent until shown-beside.ts has looked it up, and again when another change may have altered it. */
  beside?: ShownBeside | undefined;
}

/** What the view shows beside a file. */
export interface ShownBeside {
  /** The document at the file's place, in any layout. */
  here: Row | undefined;
  /** Documents with the file's id, or with its slug in another layout, whose own file the change does not touch. */
  rivals: readonly Row[];
  /** The files of the change that have the id of the document at its place. */
  heirs: readonly FileNow[];
}
