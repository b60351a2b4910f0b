// Puts the search of the site into the output: all of its files, or those that differ from the last build's.
import type { SiteConfig } from '../../config/site-config.ts';
import type { Odb } from '../../store/repository/odb.ts';
import { searchClient } from '../search/box.ts';
import { updateSearchFiles } from '../search/search-files.ts';
import { createToSearchDocument, makeSearch, type SearchedPage } from './make-search.ts';
import type { SiteMap } from './plan/site-map.ts';
import type { DocumentReader } from './read/document-reader.ts';
import type { SiteDocument } from './read/site-document.ts';
import { startSearchThread } from './search-thread.ts';
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
  /** The repository of `odb`, for a thread. */
  repository: string;
  reader: DocumentReader;
  site: SiteMap;
  output: Output;
  /** From the last build, with its documents by file; undefined if everything has to be made. */
  known: KnownSearch | undefined;
  knownDocuments: ReadonlyMap<string, SiteDocument>;
}

const FOLDER = 'search/';
/** A thread takes longer to start than fewer documents take. */
const MANY = 300;
/** Reading the last build's files for more documents than one in so many takes longer than making all. */
const FEW = 4;

export interface BegunSearch {
  /** Called when all pages are in the output. */
  put(): Promise<KnownSearch | undefined>;
  /** Ends what `beginSearch` has begun. */
  close(): Promise<void>;
}

/** Begins to make the search while pages are made, if it is long work. */
export function beginSearch(parts: SearchParts): BegunSearch {
  const { config, odb, reader, site, output, known, knownDocuments } = parts;
  if (config.build?.search === false) return { put: async () => undefined, close: async () => undefined };
  const client = searchClient();
  output.put(client.file, client.bytes);
  const pages = listSearched(site);
  const result: KnownSearch = { locales: site.locales, pages: pages.map(({ doc, path }) => [doc.file, path]) };
  const changes = known && findChanges(known, knownDocuments, pages);
  const old = output.listOld(FOLDER);
  const canUpdate =
    changes &&
    JSON.stringify(known.locales) === JSON.stringify(site.locales) &&
    changes.length * FEW < pages.length &&
    old.length > 0 &&
    old.every(output.isIntact) &&
    changes.every(({ before }) => !before || odb.has(before.doc.oid));
  const { collections, blocks } = config;
  const order = { config: { collections, blocks }, pages, locales: site.locales };
  const thread =
    canUpdate || pages.length < MANY ? undefined : startSearchThread({ ...order, repository: parts.repository });

  function update(found: NonNullable<typeof changes>): void {
    const toSearchDocument = createToSearchDocument(config, reader);
    const before = found.flatMap(({ before: one }) => (one ? toSearchDocument(one) : []));
    const after = found.flatMap(({ after: one }) => (one ? toSearchDocument(one) : []));
    const changed = updateSearchFiles(output.readOld, { before, after }, { locales: site.locales });
    // A page or a file of the theme may be in that folder too.
    for (const file of old) if (isOfSearch(file) && !changed.has(file) && !output.has(file)) output.keep(file);
    for (const [file, text] of changed) if (text !== undefined) output.put(file, text);
  }

  return {
    async put() {
      if (canUpdate) update(changes);
      else for (const [file, text] of (await thread?.files) ?? makeSearch(order, reader)) output.put(file, text);
      return result;
    },
    close: async () => thread?.close(),
  };
}

function listSearched(site: SiteMap): SearchedPage[] {
  return site.documents.flatMap((doc) => {
    const path = site.pathOf(doc.id);
    return path === undefined ? [] : [{ doc, path }];
  });
}

function findChanges(
  { pages: old }: KnownSearch,
  documents: ReadonlyMap<string, SiteDocument>,
  pages: readonly SearchedPage[],
): { before: SearchedPage | undefined; after: SearchedPage | undefined }[] {
  const before = new Map(old);
  const take = (file: string): SearchedPage | undefined => {
    const path = before.get(file);
    before.delete(file);
    const doc = documents.get(file);
    return path !== undefined && doc ? { doc, path } : undefined;
  };
  const changes: { before: SearchedPage | undefined; after: SearchedPage | undefined }[] = [];
  for (const { doc, path } of pages) {
    if (before.get(doc.file) === path && documents.get(doc.file) === doc) before.delete(doc.file);
    else changes.push({ before: take(doc.file), after: { doc, path } });
  }
  for (const file of [...before.keys()]) changes.push({ before: take(file), after: undefined });
  return changes.filter((one) => one.before?.path !== one.after?.path || one.before?.doc.oid !== one.after?.doc.oid);
}

function isOfSearch(file: string): boolean {
  return /^search\/(?:[^/]+\/)?[^/]+\.(?:json|txt)$/.test(file);
}
