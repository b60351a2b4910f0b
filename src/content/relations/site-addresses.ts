// The addresses of the pages of a site's documents, both ways: from a document to its address, and from the address in
// a link to the document whose page is there.
import { type AddressedDocument, type Addresses, createAddresses } from '../../schema/address.ts';
import type { SiteSchema } from '../../schema/collection.ts';
import type { StoredDocument } from '../document.ts';

/** Finds a document by its slug. */
export type FindBySlug = (collection: string, slug: string) => StoredDocument | undefined;

export interface SiteAddresses {
  /** Undefined if the document has no page. */
  pathOf(doc: AddressedDocument, find: FindBySlug): string | undefined;
  /** The documents whose page is at the address; several if it has the same address in several collections. */
  at(address: string, find: FindBySlug): StoredDocument[];
  /** Whether only the page of a document can be at the address: it is below the page of a collection. */
  isOfDocument(address: string): boolean;
}

/** A page deeper than this is looked for by its last slugs only. */
const MAX_SEGMENTS = 8;

export function createSiteAddresses({ collections }: Pick<SiteSchema, 'collections'>): SiteAddresses {
  const schemas = [...collections.values()];
  const defaultLocale = schemas[0]?.locales.default;
  const locales = [undefined, ...(schemas[0]?.locales.all ?? [])];
  const addresses: Addresses = createAddresses({
    collections: schemas.map(({ config }) => config),
    ...(defaultLocale === undefined ? {} : { defaultLocale }),
  } as Parameters<typeof createAddresses>[0]);
  const indexes = addresses.collections.flatMap((name) =>
    locales.flatMap((locale) => addresses.indexOf(name, locale) ?? []),
  );
  // Below the root there are pages of every other origin too.
  const prefixes = indexes.filter((index) => index !== '/' && !isLocale(index));

  const pathOf: SiteAddresses['pathOf'] = (doc, find) =>
    addresses.pathOf(doc, (child, slug) => find(child.collection, slug));

  return {
    pathOf,
    at(address, find) {
      const slugs = address === '/' || isLocale(address) ? ['home', 'index'] : address.split('/').filter(Boolean);
      const found = addresses.collections.flatMap((collection) =>
        slugs.slice(-MAX_SEGMENTS).flatMap((slug) => find(collection, slug) ?? []),
      );
      return found.filter((doc) => pathOf(doc, find) === address);
    },
    isOfDocument(address) {
      const rest = prefixes.find((index) => address.startsWith(index) && address !== index)?.length;
      // One more level: a page of a list or a tag is deeper.
      return rest !== undefined && address.slice(rest, -1).split('/').length === 1;
    },
  };

  function isLocale(address: string): boolean {
    return locales.includes(address.slice(1, -1));
  }
}
