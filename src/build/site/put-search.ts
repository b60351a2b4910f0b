// The search of the site: its pieces and its client. Only what differs from the last build is made; the files of that
// build say the rest. Drafts are in it only if the build shows them.
import fs from 'node:fs';
import path from 'node:path';
import type { SiteConfig } from '../../config/site-config.ts';
import type { Odb } from '../../store/repository/odb.ts';
import { searchClient } from '../search/box.ts';
import type { SearchDocument } from '../search/document-terms.ts';
import { publicTexts } from '../search/public-texts.ts';
import { createSearchFiles, updateSearchFiles } from '../search/search-files.ts';
import type { SiteMap } from './plan/site-map.ts';
import { readStored } from './read/read-documents.ts';
import type { SiteDocument } from './read/site-document.ts';
import type { SiteBuildOrder } from './site-build.ts';
import type { Output } from './write/output.ts';

/** A document as the last build's search has it. JSON only. */
type IndexedDocument = Pick<SiteDocument, 'file' | 'oid' | 'collection' | 'slug' | 'locale' | 'title' | 'time'> & {
  path: string;
};

export interface SearchState {
  locales: readonly string[];
  documents: IndexedDocument[];
  files: string[];
}

export interface SearchParts {
  order: Pick<SiteBuildOrder, 'config' | 'outDir'>;
  odb: Odb;
  site: SiteMap;
  output: Output;
  state: SearchState | undefined;
}

/** Returns what the next build needs; undefined if the site has no search. */
export function putSearch({ order, odb, site, output, state }: SearchParts): SearchState | undefined {
  if (order.config.build?.search === false) return undefined;
  const client = searchClient();
  output.put(client.file, client.bytes);
  const documents = site.documents.flatMap((doc): IndexedDocument[] => {
    const address = site.pathOf(doc.id);
    const { collection, slug, title, time, oid } = doc;
    const locale = doc.locale === undefined ? {} : { locale: doc.locale };
    return address === undefined
      ? []
      : [{ file: doc.file, oid, collection, slug, ...locale, title, time, path: address }];
  });
  const toSearch = createReader(order.config, odb);
  const { locales } = site;
  const old = usableState(state, locales, output);
  if (!old) {
    const made = createSearchFiles(mapEach(documents, toSearch), { locales });
    for (const [name, text] of made) output.put(name, text);
    return { locales, documents, files: [...made.keys()] };
  }
  const left = new Map(old.documents.map((document) => [document.path, document]));
  const came = documents.filter((document) => {
    const known = left.get(document.path);
    const isSame = known !== undefined && known.file === document.file && known.oid === document.oid;
    if (isSame) left.delete(document.path);
    return !isSame;
  });
  const changes = { before: [...left.values()].map(toSearch), after: came.map(toSearch) };
  const read = (name: string): string => fs.readFileSync(path.join(order.outDir, name), 'utf8');
  const files = new Set(old.files);
  const changed = updateSearchFiles(read, changes, { locales });
  for (const name of changed.keys()) files.delete(name);
  for (const name of files) output.keep(name);
  for (const [name, text] of changed) {
    if (text === undefined) continue;
    output.put(name, text);
    files.add(name);
  }
  return { locales, documents, files: [...files].sort() };
}

/** Undefined if the index has to be made from all documents. */
function usableState(
  state: SearchState | undefined,
  locales: readonly string[],
  output: Output,
): SearchState | undefined {
  const isUsable = state?.locales.join(' ') === locales.join(' ') && state.files.every((name) => output.isIntact(name));
  return isUsable ? state : undefined;
}

function createReader({ collections, blocks }: SiteConfig, odb: Odb): (document: IndexedDocument) => SearchDocument {
  const fields = new Map(collections.map((collection) => [collection.name, collection.fields]));
  const byName = new Map(blocks.map((block) => [block.name, block]));
  return (document) => ({
    path: document.path,
    locale: document.locale,
    title: document.title,
    slug: document.slug,
    time: document.time,
    texts: publicTexts(readStored(odb, document).data, fields.get(document.collection) ?? [], byName),
  });
}

function* mapEach<T, U>(items: Iterable<T>, toItem: (item: T) => U): Generator<U> {
  for (const item of items) yield toItem(item);
}
