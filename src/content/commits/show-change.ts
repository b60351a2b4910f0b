// Shows what a commit of ours changed, once it is durable: each document alone, or together with other files that may
// claim the same id or slug.
import type { StoredDocument } from '../document.ts';
import type { Claims } from '../from-git/claims.ts';
import type { FileNow } from '../from-git/file-now.ts';
import { toFileNow } from '../from-git/files-now.ts';
import { schemaProblem, type Warnings } from '../from-git/warnings.ts';
import type { PendingChange } from '../pending.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';

/** One document's part in a commit. */
export interface ShownChange {
  id: string;
  /** True if the commit writes the document, false if it deletes it. */
  isWritten: boolean;
  /** Dropped once the view shows it, because thousands of commits may wait for git. */
  after: StoredDocument | undefined;
  /** Paths of its file. */
  from: string | undefined;
  to: string | undefined;
  row: Row | undefined;
  pending?: PendingChange;
}

export interface ShowChangeParts {
  view: ContentView;
  warnings: Warnings;
  claims: Claims;
  /** Shows files together with others that may claim the same id or slug. */
  showBesideOthers(files: readonly FileNow[], commit: string): void;
  /** Shows files again whose names clashed with a name that is gone. */
  lookAgainAtTwins(commit: string): void;
}

/** `isReplayed`: the change may now be beside other documents than the ones it was decided on. */
export type ShowChange = (
  changes: readonly ShownChange[],
  gone: readonly string[],
  commit: string,
  isReplayed: boolean,
) => void;

export function createShowChange(parts: ShowChangeParts): ShowChange {
  const { view, warnings, claims, showBesideOthers, lookAgainAtTwins } = parts;
  const schemaOf = (doc: StoredDocument) => view.collection(doc.collection)!.schema;

  return show;

  function show(changes: readonly ShownChange[], gone: readonly string[], commit: string, isReplayed: boolean): void {
    if (claims.isEmpty && !isReplayed) changes.forEach(showAlone);
    else showBesideOthers([...gone.map((path) => toFileNow(path)), ...changes.flatMap(toFilesNow)], commit);
    for (const path of gone) warnings.delete(path);
    if (gone.length && warnings.size) lookAgainAtTwins(commit);
    for (const change of changes) change.after = undefined;

    function showAlone({ id, after, to, row }: ShownChange): void {
      const known = view.byId(id);
      if (row) view.put(row, commit);
      else if (known) view.remove(known, commit);
      if (to === undefined || !after) return;
      const problem = schemaProblem(after, schemaOf(after));
      if (problem) warnings.set(to, problem);
      else warnings.delete(to);
    }
  }

  function toFilesNow({ after, to, row }: ShownChange): FileNow[] {
    if (to === undefined || !row || !after) return [];
    return [toFileNow(to, { row, problem: schemaProblem(after, schemaOf(after)) })];
  }
}
