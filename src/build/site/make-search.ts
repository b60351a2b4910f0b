// Makes all files of a site's search from its documents.
import type { SiteConfig } from '../../config/site-config.ts';
import type { SearchDocument } from '../search/document-terms.ts';
import { publicTexts } from '../search/public-texts.ts';
import { createSearchFiles } from '../search/search-files.ts';
import { localeOf } from './plan/site-map.ts';
import type { DocumentReader } from './read/document-reader.ts';
import type { SiteDocument } from './read/site-document.ts';

/** A document with a page, and the page's address. */
export interface SearchedPage {
  doc: SiteDocument;
  path: string;
}

export interface SearchOrder {
  config: Pick<SiteConfig, 'collections' | 'blocks'>;
  pages: readonly SearchedPage[];
  locales: readonly string[];
}

/** Texts by path. */
export function makeSearch({ config, pages, locales }: SearchOrder, reader: DocumentReader): Map<string, string> {
  const toSearchDocument = createToSearchDocument(config, reader);
  const all = function* (): Generator<SearchDocument> {
    for (const one of pages) yield toSearchDocument(one);
  };
  return createSearchFiles(all(), { locales });
}

export function createToSearchDocument(
  { collections, blocks }: SearchOrder['config'],
  reader: DocumentReader,
): (page: SearchedPage) => SearchDocument {
  const fields = new Map(collections.map((collection) => [collection.name, collection.fields]));
  const byName = new Map(blocks.map((block) => [block.name, block]));
  return ({ doc, path }) => {
    const texts = publicTexts(reader.get(doc.file, doc.oid).data, fields.get(doc.collection)!, byName);
    return { path, locale: localeOf(doc), title: doc.title, slug: doc.slug, texts, time: doc.time };
  };
}
