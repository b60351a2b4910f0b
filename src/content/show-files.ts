// From documents' files to rows: what is shown once some files came, changed or went, and what is reported of those that
// are not. The one way for everybody's commits; which of several files holds an id or a slug is for contests.ts.
import { type Claims, claimOf, idKey, isIdKey, type Key, keysOf, nameIn, pathsOf, placeIn, slugKey } from './claims.ts';
import { type Arrange, showContested } from './contests.ts';
import type { FileNow, FilesNow } from './files-now.ts';
import type { ReadParts } from './read-changes.ts';
import type { ContentView, Row, RowChanges } from './view.ts';
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
  if (contested.size || (arrange && !claims.isEmpty)) {
    showContested(parts, [...contested], files.byPath, changes, arrange);
  }
  for (const file of files.list) {
    const isContested = contested.has(file);
    if (!isContested) showAlone(parts, file, files, contested, changes);
    if (!file.isThere) warnings.delete(file.path);
    else if (!file.row || !isContested) tell(parts, file.path, file.problem);
  }
  view.change(changes, commit);
}

const NOTHING: ReadonlySet<FileNow> = new Set();

/** What several files claim now, or did. */
function findContested({ view, claims }: ShowParts, files: FilesNow): Set<Key> {
  const hot = new Set<Key>([...claims.files()].flatMap(keysOf));
  for (const key of files.repeatedSlugs) hot.add(key);
  for (const id of files.repeatedIds) hot.add(idKey(id));
  for (const file of files.list) {
    for (const row of shownElsewhere(view, file)) {
      if (files.byPath.has(claimOf(row).path)) continue;
      if (row.id === file.row!.id) hot.add(idKey(row.id));
      if (isAt(row, file.row!)) hot.add(slugKey(row));
    }
  }
  return hot;
}

const NOWHERE: readonly Row[] = [];

/** The documents with its id, or with its slug in the other layout, that are shown from another file. */
export function shownElsewhere(view: ContentView, { row, isSharded }: FileNow): readonly Row[] {
  if (!row) return NOWHERE;
  const known = view.byId(row.id);
  const isHere = known !== undefined && isAt(known, row);
  const there = isHere ? known : view.bySlug(row.collection, row.slug);
  const isOther = there !== undefined && there.isSharded !== isSharded;
  if (!isOther && (isHere || !known)) return NOWHERE;
  return [...(isOther ? [there] : []), ...(known && !isHere ? [known] : [])];
}

function isAt(a: Row, b: Row): boolean {
  return a.slug === b.slug && a.collection === b.collection;
}

/** Those of the files that claim one of the keys now, or did. */
function claimantsOf({ view, claims }: ShowParts, files: FilesNow, hot: ReadonlySet<Key>): ReadonlySet<FileNow> {
  const found = new Set<FileNow | undefined>();
  for (const { path } of claims.files()) found.add(files.byPath.get(path));
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
  { place, row, isSharded }: FileNow,
  files: FilesNow,
  contested: ReadonlySet<FileNow>,
  { removed, put }: RowChanges,
): void {
  const current = place && view.bySlug(place.collection, place.slug);
  /** It is replaced at its other place, in this change. */
  const goesOn = ({ id, collection }: Row): boolean =>
    files.withId(id).some((file) => !contested.has(file) && file.row!.collection === collection);
  if (row) {
    if (current && current.id !== row.id && !goesOn(current)) removed.push(current);
    if (current !== row) put.push(row);
    row.isSharded = isSharded;
  } else if (current?.isSharded === isSharded && !goesOn(current)) removed.push(current);
}
