// From documents' files to rows: what is shown once some files came, changed or went, and what is reported of those that
// are not. The one way for everybody's commits; which of several files holds an id or a slug is for contests.ts.
import { type Claims, claimOf, idKey, type Key, keysOf, shownFrom, slugKey } from './claims.ts';
import { type Arrange, showContested } from './contests.ts';
import type { ReadFile, ReadParts } from './read-changes.ts';
import { isSharded, otherPath, parsePath } from './stored.ts';
import type { Row } from './view.ts';
import { tell, type WarnParts } from './warnings.ts';

export interface ShowParts extends ReadParts, WarnParts {
  claims: Claims;
}

/** A file as it is now; its `row` is that of its document, shown or not. */
export interface FileNow extends ReadFile {
  path: string;
  isThere: boolean;
}

export interface RowChanges {
  removed: Row[];
  put: Row[];
}

/** `arrange` orders what is contested, if the files are not those of one commit on top of what is shown. */
export function showFiles(parts: ShowParts, files: readonly FileNow[], commit: string, arrange?: Arrange): void {
  const { view, claims, warnings } = parts;
  const now = new Map(files.map((file) => [file.path, file]));
  const changes: RowChanges = { removed: [], put: [] };
  const hot = findContested(parts, files, now);
  const contested = new Set(hot.size ? files.filter((file) => claimsAny(parts, file, hot)) : []);
  if (contested.size || (arrange && !claims.isEmpty)) showContested(parts, [...contested], now, changes, arrange);
  for (const file of files) if (!contested.has(file)) showAlone(parts, file, now, changes);
  // Removals first: a rename is a removal and an addition of the same id.
  for (const row of changes.removed) view.remove(row, commit);
  for (const row of changes.put) view.put(row, commit);
  for (const file of files) {
    if (!file.isThere) warnings.delete(file.path);
    else if (!file.row || !contested.has(file)) tell(parts, file.path, file.problem);
  }
}

/** What several files claim now, or did. */
function findContested(
  { view, claims }: ShowParts,
  files: readonly FileNow[],
  now: ReadonlyMap<string, FileNow>,
): Set<Key> {
  const hot = new Set<Key>([...claims.files()].flatMap(keysOf));
  const seen = new Set<Key>();
  const note = (key: Key): void => void (seen.has(key) ? hot.add(key) : seen.add(key));
  const stays = (row: Row): boolean => !now.has(claimOf(row).path);
  for (const { path, row } of files) {
    if (!row) continue;
    note(idKey(row.id));
    note(slugKey(row));
    const known = view.byId(row.id);
    if (known && (known.slug !== row.slug || known.collection !== row.collection) && stays(known))
      hot.add(idKey(row.id));
    const there = view.bySlug(row.collection, row.slug);
    if (!there || there.isSharded === isSharded(path) || !stays(there)) continue;
    hot.add(slugKey(row));
    if (there.id === row.id) hot.add(idKey(row.id));
  }
  return hot;
}

function claimsAny({ view, claims }: ShowParts, { path, row }: FileNow, hot: ReadonlySet<Key>): boolean {
  if (row && (hot.has(idKey(row.id)) || hot.has(slugKey(row)))) return true;
  const shown = shownFrom(view, path);
  const old = claims.of(path) ?? (shown && claimOf(shown));
  return old !== undefined && keysOf(old).some((key) => hot.has(key));
}

/** A file whose id and slug are its own. */
function showAlone(
  { view }: ShowParts,
  { path, row }: FileNow,
  now: ReadonlyMap<string, FileNow>,
  { removed, put }: RowChanges,
): void {
  const place = row ?? parsePath(path);
  const current = place && view.bySlug(place.collection, place.slug);
  if (row) {
    if (current && current.id !== row.id) removed.push(current);
    if (current !== row) put.push(row);
    row.isSharded = isSharded(path);
  } else if (current?.isSharded === isSharded(path)) {
    // A document that goes to the other layout is replaced there, or stays as it is.
    if (now.get(otherPath(path)!)?.row?.id !== current.id) removed.push(current);
  }
}
