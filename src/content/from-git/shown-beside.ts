// What the view shows beside the files of a change: looked up in slices while the change is prepared, and forgotten if
// another change affects it, so that showing thousands of files at once needs no lookups.

import { pathsOf } from '../files/paths.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { claimOf } from './claims.ts';
import type { FileNow, ShownBeside } from './file-now.ts';
import type { FilesNow } from './files-now.ts';

const NO_ROWS: readonly Row[] = [];
const NO_FILES: readonly FileNow[] = [];

export function shownBeside(view: ContentView, files: FilesNow, file: FileNow): ShownBeside {
  return (file.beside ??= lookBeside(view, files, file));
}

function lookBeside(view: ContentView, files: FilesNow, { place, row, layout }: FileNow): ShownBeside {
  const here = place && view.bySlug(place.collection, place.slug);
  const known = row && view.byId(row.id);
  const elsewhere = row
    ? [here?.layout !== layout && here, known !== here && known].filter((one) => one !== undefined && one !== false)
    : NO_ROWS;
  const rivals = elsewhere.filter((one) => !files.byPath.has(claimOf(one).path));
  return { here, rivals: rivals.length ? rivals : NO_ROWS, heirs: here ? files.withId(here.id) : NO_FILES };
}

/** Looks up all files, in small steps. */
export function* lookAhead(view: ContentView, files: FilesNow): Generator<undefined> {
  for (const file of files.list) {
    shownBeside(view, files, file);
    yield undefined;
  }
}

/**
 * Forgets what other changes affect, until the returned function is called. Calls `note` with each row that they show
 * or remove, and whether the prepared change has files at the row's place or with its id.
 */
export function followShown(
  view: ContentView,
  files: FilesNow,
  note: (row: Row, isNear: boolean) => void = () => undefined,
): () => void {
  return view.subscribe((before, after) => {
    for (const row of [before, after]) if (row) note(row, forgetAround(files, row));
  });
}

/** Forgets what was looked up for files near a row; returns true if there are any. */
function forgetAround(files: FilesNow, at: Row): boolean {
  const atPlace = pathsOf(at).map((path) => files.byPath.get(path));
  const near = [...atPlace, ...files.withId(at.id)].filter((file) => file);
  for (const file of near) file!.beside = undefined;
  return near.length > 0;
}
