// A file of a change: as it was read, as it is now, and what the view shows beside it.
import type { Row } from '../rows/row.ts';

export interface FileReading {
  /** Undefined if the file is not a document. */
  row: Row | undefined;
  /** Why it is not a document, or what is wrong with its values. */
  problem: string | undefined;
}

/** A file as it is now; its `row` is that of its document, shown or not. */
export interface FileNow extends FileReading {
  path: string;
  isThere: boolean;
  /** What the path stands for; undefined if it is no document's. */
  place: { collection: string; slug: string } | undefined;
  isSharded: boolean;
  /** Absent until shown-beside.ts has looked, and again whenever another change may have altered it. */
  beside?: ShownBeside | undefined;
}

/** What the view shows beside a file. */
export interface ShownBeside {
  /** The document at the file's place, in whichever layout. */
  here: Row | undefined;
  /** The documents with its id, or with its slug in the other layout, whose own file the change leaves as it is. */
  rivals: readonly Row[];
  /** The files of the change that have the id of the document at its place. */
  heirs: readonly FileNow[];
}
