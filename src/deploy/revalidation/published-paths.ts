// The paths of a document's pages as a frontend revalidates them: `/journal/hello` and `/journal`, without the slash at
// the end that only the root has. Knows published documents only: the address of a draft must not leave.
import type { SiteConfig } from '../../config/site-config.ts';
import type { Document } from '../../content/document.ts';
import type { Row } from '../../content/rows/row.ts';
import type { ContentView } from '../../content/rows/view.ts';
import { type AddressedDocument, createAddresses } from '../../schema/address.ts';

export interface PublishedPaths {
  /**
   * The document's own path and that of its collection; empty if it has no pages. If its place may move others, those
   * below it too.
   */
  of(document: AddressedDocument): string[];
  /** Of the published documents below a slug, as they are when `parent` is the document there. */
  below(parent: AddressedDocument): string[];
  /** Whether documents of the collection are below others. */
  isNested(collection: string): boolean;
}

type View = Pick<ContentView, 'bySlug' | 'collection'>;

/** A page with more below it is revalidated without the rest: a list this long is a deploy. */
const MAX_BELOW = 500;

export function createPublishedPaths(config: SiteConfig, view: View): PublishedPaths {
  const addresses = createAddresses(config);
  const parentFields = new Map(config.collections.map(({ name, parentField }) => [name, parentField]));
  const localeOf = ({ locale }: { locale?: string | undefined }): string | undefined => locale ?? config.defaultLocale;

  /** `own` stands for whatever the view has at its slug: its version before or after a change. */
  function createParentOf(own: AddressedDocument) {
    return (child: AddressedDocument, slug: string): AddressedDocument | undefined => {
      if (slug === own.slug && child.collection === own.collection && localeOf(child) === localeOf(own)) return own;
      const row = view.bySlug(child.collection, slug);
      if (row?.status !== 'published') return undefined;
      const found = localeOf(row) === localeOf(child) ? row : (findTranslation(row, localeOf(child)) ?? row);
      return toAddressed(found);
    };
  }

  /** A translation that names its source's parent is below that parent's translation, if there is one. */
  function findTranslation(row: Row, locale: string | undefined): Row | undefined {
    for (const other of view.collection(row.collection)?.rows.values() ?? []) {
      const isRelated =
        other.translationOf === row.slug ||
        row.translationOf === other.slug ||
        (row.translationGroup !== undefined && other.translationGroup === row.translationGroup);
      if (isRelated && other.status === 'published' && localeOf(other) === locale) return other;
    }
    return undefined;
  }

  function* childrenOf(collection: string, field: string, slug: string): Generator<AddressedDocument> {
    const text = JSON.stringify(slug);
    for (const row of view.collection(collection)?.rows.values() ?? []) {
      // Most documents are ruled out without being parsed.
      if (row.status !== 'published' || row.slug === slug || !row.body.includes(text)) continue;
      const child = toAddressed(row);
      if (child.data[field] === slug) yield child;
    }
  }

  return {
    of(document) {
      const own = addresses.pathOf(document, createParentOf(document));
      const index = addresses.indexOf(document.collection, document.locale);
      return [own, index].flatMap((path) => (path === undefined ? [] : [toRevalidated(path)]));
    },
    below(parent) {
      const field = parentFields.get(parent.collection);
      if (field === undefined) return [];
      const parentOf = createParentOf(parent);
      const paths: string[] = [];
      const seen = new Set([parent.slug]);
      const next = [parent.slug];
      for (let slug = next.shift(); slug !== undefined; slug = next.shift()) {
        for (const child of childrenOf(parent.collection, field, slug)) {
          if (seen.has(child.slug) || paths.length >= MAX_BELOW) continue;
          seen.add(child.slug);
          next.push(child.slug);
          const path = addresses.pathOf(child, parentOf);
          if (path !== undefined) paths.push(toRevalidated(path));
        }
      }
      return paths;
    },
    isNested: (collection) => parentFields.get(collection) !== undefined,
  };
}

/** The document that a row shows. */
export function toDocument(row: Row): Document {
  return JSON.parse(row.body.toString('utf8')) as Document;
}

function toAddressed(row: Row): AddressedDocument {
  return toDocument(row);
}

function toRevalidated(path: string): string {
  return path === '/' ? path : path.replace(/\/$/, '');
}
