// The search of a built site as files, from all documents or from the files of the last build. Both give the same
// bytes; must not read or write a file itself.
import { changeIndex } from './changed-index.ts';
import type { SearchDocument } from './document-terms.ts';
import { createNewIndex, type NewIndex } from './new-index.ts';

export interface SearchOptions {
  /** The site's, the default one first; one empty name if it has none. Each has an index, even one without documents. */
  locales: readonly string[];
}

/** What became of documents since the last build. */
export interface SearchChanges {
  /** Documents that changed or left, as the last build had them: address, title and texts. */
  before: readonly SearchDocument[];
  /** Documents that changed or came, as they are. */
  after: readonly SearchDocument[];
}

/** The folder of a locale's index, with a slash at its end: `search/`, `search/de/`. */
export function searchFolder(locale: string | undefined, { locales }: SearchOptions): string {
  return locale === undefined || locale === '' || locale === locales[0] ? 'search/' : `search/${locale.toLowerCase()}/`;
}

/** Text by path. Reads one document after the other and keeps no texts. */
export function createSearchFiles(documents: Iterable<SearchDocument>, options: SearchOptions): Map<string, string> {
  const indexes = new Map<string, NewIndex>();
  for (const locale of options.locales) indexes.set(searchFolder(locale, options), createNewIndex());
  for (const document of documents) getIn(indexes, searchFolder(document.locale, options)).add(document);
  const files = new Map<string, string>();
  for (const [folder, index] of indexes) for (const [name, text] of index.files()) files.set(folder + name, text);
  return files;
}

/**
 * The files that differ from those of the last build, by path; undefined for one that leaves. `read` returns a file of
 * the last build. The locales are those of the last build: with others, create all files.
 */
export function updateSearchFiles(
  read: (path: string) => string,
  { before, after }: SearchChanges,
  options: SearchOptions,
): Map<string, string | undefined> {
  const folders = new Map<string, { before: SearchDocument[]; after: SearchDocument[] }>();
  for (const locale of options.locales) folders.set(searchFolder(locale, options), { before: [], after: [] });
  for (const document of before) getIn(folders, searchFolder(document.locale, options)).before.push(document);
  for (const document of after) getIn(folders, searchFolder(document.locale, options)).after.push(document);
  const files = new Map<string, string | undefined>();
  for (const [folder, changes] of folders) {
    if (changes.before.length + changes.after.length === 0) continue;
    const changed = changeIndex((name) => read(folder + name), changes.before, changes.after);
    for (const [name, text] of changed) files.set(folder + name, text);
  }
  return files;
}

function getIn<T>(folders: ReadonlyMap<string, T>, folder: string): T {
  const found = folders.get(folder);
  if (found === undefined) throw new Error(`no locale of the site has the search in "${folder}"`);
  return found;
}
