// Puts the search of the site into the output: all of its files, or those that differ from the last build's.
import type { SiteConfig } from '../../config/site-config.ts';
import type { Odb } from '../../store/repository/odb.ts';
import { searchClient } from '../search/box.ts';
import type { SearchDocument } from '../search/document-terms.ts';
import { publicTexts } from '../search/public-texts.ts';
import { createSearchFiles, updateSearchFiles } from '../search/search-files.ts';
import { localeOf, type SiteMap } from './plan/site-map.ts';
import type { DocumentReader } from './read/document-reader.ts';
import type { SiteDocument } from './read/site-document.ts';
import type { Output } from './write/output.ts';

/** What the last build put in. JSON only. */
export interface KnownSearch {
  locales: readonly string[];
  /** File and address of each document. */
  pages: readonly [file: string, path: string][];
}

export interface SearchParts {
  config: SiteConfig;
  odb: Odb;
  reader: DocumentReader;
  site: SiteMap;
  output: Output;
  /** From the last build, with its documents by file; undefined if everything has to be made. */
  known: KnownSearch | undefined;
  knownDocuments: ReadonlyMap<string, SiteDocument>;
}

const FOLDER = 'search/';
/** Reading the last build's files for more documents than one in so many takes longer than making all. */
const FEW = 4;

export function putSearch(parts: SearchParts): KnownSearch | undefined {
  const { config, odb, reader, site, output, known, knownDocuments } = parts;
  if (config.build?.search === false) return undefined;
  const client = searchClient();
  output.put(client.file, client.bytes);
  const pages = listSearched(site);
  const result: KnownSearch = { locales: site.locales, pages: pages.map(({ doc, path }) => [doc.file, path]) };
  const toSearchDocument = createToSearchDocument(config, reader);
  const options = { locales: site.locales };
  const changes = known && findChanges(known, knownDocuments, pages);
  const old = output.listOld(FOLDER);
  const canUpdate =
    changes &&
    JSON.stringify(known.locales) === JSON.stringify(site.locales) &&
    changes.length * FEW < pages.length &&
    old.length > 0 &&
    old.every(output.isIntact) &&
    changes.every(({ before }) => !before || odb.has(before.doc.oid));
  if (canUpdate) {
    const before = changes.flatMap(({ before: one }) => (one ? toSearchDocument(one) : []));
    const after = changes.flatMap(({ after: one }) => (one ? toSearchDocument(one) : []));
    const changed = updateSearchFiles(output.readOld, { before, after }, options);
    // A page or a file of the theme may be in that folder too.
    for (const file of old) if (isOfSearch(file) && !changed.has(file) && !output.has(file)) output.keep(file);
    for (const [file, text] of changed) if (text !== undefined) output.put(file, text);
  } else {
    for (const [file, text] of makeSearch(parts)) output.put(file, text);
  }
  return result;
}

/** All files of the search, as texts by path. */
function makeSearch({ config, site, reader }: Pick<SearchParts, 'config' | 'site' | 'reader'>): Map<string, string> {
  const toSearchDocument = createToSearchDocument(config, reader);
  const all = function* (): Generator<SearchDocument> {
    for (const one of listSearched(site)) yield toSearchDocument(one);
  };
  return createSearchFiles(all(), { locales: site.locales });
}

function listSearched(site: SiteMap): Searched[] {
  return site.documents.flatMap((doc) => {
    const path = site.pathOf(doc.id);
    return path === undefined ? [] : [{ doc, path }];
  });
}

function createToSearchDocument(
  { collections, blocks }: SiteConfig,
  reader: DocumentReader,
): (searched: Searched) => SearchDocument {
  const fields = new Map(collections.map((collection) => [collection.name, collection.fields]));
  const byName = new Map(blocks.map((block) => [block.name, block]));
  return ({ doc, path }) => {
    const texts = publicTexts(reader.get(doc.file, doc.oid).data, fields.get(doc.collection)!, byName);
    return { path, locale: localeOf(doc), title: doc.title, slug: doc.slug, texts, time: doc.time };
  };
}

interface Searched {
  doc: SiteDocument;
  path: string;
}

function findChanges(
  { pages: old }: KnownSearch,
  documents: ReadonlyMap<string, SiteDocument>,
  pages: readonly Searched[],
): { before: Searched | undefined; after: Searched | undefined }[] {
  const before = new Map(
    old.flatMap(([file, path]) => {
      const doc = documents.get(file);
      return doc ? [[file, { doc, path }] as const] : [];
    }),
  );
  const changes: { before: Searched | undefined; after: Searched | undefined }[] = [];
  for (const { doc, path } of pages) {
    const was = before.get(doc.file);
    before.delete(doc.file);
    if (was?.path !== path || was.doc.oid !== doc.oid) changes.push({ before: was, after: { doc, path } });
  }
  for (const gone of before.values()) changes.push({ before: gone, after: undefined });
  return changes;
}

function isOfSearch(file: string): boolean {
  return /^search\/(?:[^/]+\/)?[^/]+\.(?:json|txt)$/.test(file);
}
