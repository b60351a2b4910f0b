// From documents' files to rows: what is shown once some files came, changed or went, and what is reported of those that
// are not. The one way for everybody's commits; which of several files holds an id or a slug is for contests.ts.
import { type Claims, claimOf, idKey, isIdKey, type Key, keysOf, nameIn, pathsOf, placeIn, slugKey } from './claims.ts';
import { type Arrange, showContested } from './contests.ts';
import type { FileNow, FilesNow } from './files-now.ts';
import type { ReadParts } from './read-changes.ts';
import { shownBeside } from './shown-beside.ts';
import type { Row, RowChanges } from './view.ts';
import { tell, type WarnParts } from './warnings.ts';

export interface ShowParts extends ReadParts, WarnParts {
  claims: Claims;
}

/** `arrange` orders what is contested, if the files are not those of one commit on top of what is shown. */
export function showFiles(parts: ShowParts, files: FilesNow, commit: string, arrange?: Arrange): void {
  const { view, claims, warnings } = parts;
  const changes: RowChanges = { removed: [], put: [] };
  const hot = findContested(parts, files);
  const contested = hot.size ? claimantsOf(parts, files, hot) : NOTHING;
  if (contested.size || (arrange && !arrange.isOneStep && !claims.isEmpty)) {
    showContested(parts, [...contested], files.byPath, changes, arrange);
  }
  for (const file of files.list) {
    const isContested = contested.has(file);
    if (!isContested) showAlone(parts, file, files, contested, changes);
    if (warnings.size === 0 && file.problem === undefined) continue;
    if (!file.isThere) warnings.delete(file.path);
    else if (!file.row || !isContested) tell(parts, file.path, file.problem);
  }
  view.change(changes, commit);
}

const NOTHING: ReadonlySet<FileNow> = new Set();

/** What several files claim now, or did, one of the change's among them. */
function findContested({ view, claims }: ShowParts, files: FilesNow): Set<Key> {
  const hot = new Set<Key>();
  for (const key of files.repeatedSlugs) hot.add(key);
  for (const id of files.repeatedIds) hot.add(idKey(id));
  for (const file of files.list) {
    if (!claims.isEmpty) for (const key of contestedKeysOf(claims, file)) hot.add(key);
    for (const row of shownBeside(view, files, file).rivals) {
      if (row.id === file.row!.id) hot.add(idKey(row.id));
      if (isAt(row, file.row!)) hot.add(slugKey(row));
    }
  }
  return hot;
}

/** Keys of the file, as it was and is, that a contested file has. */
function* contestedKeysOf(claims: Claims, { path, place, row }: FileNow): Generator<Key> {
  const claim = claims.of(path);
  if (claim) yield* keysOf(claim);
  if (place && pathsOf(place).some((one) => claims.of(one))) yield slugKey(place);
  if (row && claims.withId(row.id).length) yield idKey(row.id);
}

function isAt(a: Row, b: Row): boolean {
  return a.slug === b.slug && a.collection === b.collection;
}

/** Those of the files that claim one of the keys now, or did. */
function claimantsOf({ view, claims }: ShowParts, files: FilesNow, hot: ReadonlySet<Key>): ReadonlySet<FileNow> {
  const found = new Set<FileNow | undefined>();
  for (const file of files.list) if (claims.of(file.path)) found.add(file);
  for (const key of hot) {
    const name = nameIn(key);
    if (isIdKey(key)) {
      for (const file of files.withId(name)) found.add(file);
      const shown = view.byId(name);
      if (shown) found.add(files.byPath.get(claimOf(shown).path));
    } else for (const path of pathsOf(placeIn(name))) found.add(files.byPath.get(path));
  }
  return new Set(files.list.filter((file) => found.has(file)));
}

/** A file whose id and slug are its own. */
function showAlone(
  { view }: ShowParts,
  file: FileNow,
  files: FilesNow,
  contested: ReadonlySet<FileNow>,
  { removed, put }: RowChanges,
): void {
  const { row, isSharded } = file;
  const { here, heirs } = shownBeside(view, files, file);
  /** It is replaced at its other place, in this change. */
  const goesOn = ({ collection }: Row): boolean =>
    heirs.some((heir) => !contested.has(heir) && heir.row!.collection === collection);
  if (row) {
    if (here && here.id !== row.id && !goesOn(here)) removed.push(here);
    if (here !== row) put.push(row);
    row.isSharded = isSharded;
  } else if (here?.isSharded === isSharded && !goesOn(here)) removed.push(here);
}
