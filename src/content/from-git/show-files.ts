// From documents' files to rows: shows the documents of files that were added, changed or removed, and reports the
// problems of the others. All commits, ours and external ones, pass here; contests.ts decides which of several files
// holds an id or a slug.
import { runToEnd } from '../../lib/queues/slices.ts';
import type { Row } from '../rows/row.ts';
import type { RowChanges } from '../rows/view.ts';
import type { Arrange } from './arrange-claims.ts';
import { type ContestPlan, planContests } from './contests.ts';
import type { FileNow } from './file-now.ts';
import type { FilesNow } from './files-now.ts';
import type { ShowParts } from './show-parts.ts';
import { shownBeside } from './shown-beside.ts';
import { warnOfFile } from './warnings.ts';

/** `arrange` orders the contested files, if the change is not one commit on top of what is shown. */
export function showFiles(parts: ShowParts, files: FilesNow, commit: string, arrange?: Arrange): void {
  showPlanned(parts, files, commit, runToEnd(planContests(parts, files, arrange)));
}

/** The same, with the contested files planned beforehand. */
export function showPlanned(parts: ShowParts, files: FilesNow, commit: string, plan: ContestPlan): void {
  const { view, warnings } = parts;
  const changes: RowChanges = { removed: [], put: [] };
  plan.show(changes);
  for (const file of files.list) {
    const isContested = plan.files.has(file);
    if (!isContested) showAlone(parts, file, files, plan.files, changes);
    if (warnings.size === 0 && file.problem === undefined) continue;
    if (!file.isThere) warnings.delete(file.path);
    else if (!file.row || !isContested) warnOfFile(parts, file.path, file.problem);
  }
  view.change(changes, commit);
}

/** Shows a file whose id and slug nothing else claims. */
function showAlone(
  { view }: ShowParts,
  file: FileNow,
  files: FilesNow,
  contested: ReadonlySet<FileNow>,
  { removed, put }: RowChanges,
): void {
  const { row, layout } = file;
  const { here, heirs } = shownBeside(view, files, file);
  /** Whether this change shows the document at another place. */
  const movesOn = ({ collection }: Row): boolean =>
    heirs.some((heir) => !contested.has(heir) && heir.row!.collection === collection);
  if (row) {
    if (here && here.id !== row.id && !movesOn(here)) removed.push(here);
    if (here !== row) put.push(row);
    row.layout = layout;
  } else if (here?.layout === layout && !movesOn(here)) removed.push(here);
}
