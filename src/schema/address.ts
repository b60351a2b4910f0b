// The address of a document's page, from its collection's `urlPrefix`, `urlPattern` and `parentField` (decisions.md,
// section 11, "Static builder"). Pure: the builder, revalidation and the link check all derive addresses here.
import type { CollectionConfig, SiteConfig } from '../config/site-config.ts';
import { toSlug } from '../lib/text/slug.ts';

/** The part of a document that its address depends on. */
export interface AddressedDocument {
  id: string;
  collection: string;
  slug: string;
  locale?: string | undefined;
  createdAt: string;
  data: Readonly<Record<string, unknown>>;
}

export interface Addresses {
  /**
   * Path of the document's page, with a slash at both ends (`/journal/hello/`, `/` for the home page). Undefined if the
   * collection has no pages, a placeholder of its `urlPattern` has no value, or its parents form a cycle or cannot be
   * found. `parentOf` finds a parent by its slug in the same collection and locale.
   */
  pathOf(document: AddressedDocument, parentOf?: FindParent): string | undefined;
  /** Path of the collection's own page in a locale, with a slash at both ends; undefined if it has none. */
  indexOf(collection: string, locale?: string): string | undefined;
  /** The names of the collections whose documents have pages. */
  collections: readonly string[];
}

export type FindParent = (child: AddressedDocument, slug: string) => AddressedDocument | undefined;

/** Slugs that are the root of the site in a collection named `pages`. */
const HOME_SLUGS = new Set(['home', 'index']);
const HOME_COLLECTION = 'pages';
/** No site nests deeper; a chain this long is a cycle. */
const MAX_DEPTH = 32;

export function createAddresses({
  collections,
  defaultLocale,
}: Pick<SiteConfig, 'collections' | 'defaultLocale'>): Addresses {
  const paged = new Map(collections.filter(hasPages).map((collection) => [collection.name, toPaged(collection)]));

  function localePrefix(pattern: string, locale: string | undefined): string {
    if (locale === undefined || locale === defaultLocale || pattern.includes(':locale')) return '';
    return `/${locale}`;
  }

  return {
    collections: [...paged.keys()],
    indexOf(collection, locale) {
      const found = paged.get(collection);
      return found && withSlashes(`${localePrefix(found.pattern, locale)}/${found.prefix}`);
    },
    pathOf(document, parentOf) {
      const found = paged.get(document.collection);
      if (!found) return undefined;
      const { pattern, parentField } = found;
      const prefix = localePrefix(pattern, document.locale);
      if (document.collection === HOME_COLLECTION && HOME_SLUGS.has(document.slug)) return withSlashes(prefix);
      const slugs = toTrail(document, parentField, parentOf);
      if (!slugs) return undefined;
      let isComplete = true;
      const path = pattern.replace(/:([A-Za-z][A-Za-z0-9]*)/g, (_, name: string) => {
        const value = name === 'slug' ? slugs.join('/') : placeholderValue(document, name, defaultLocale);
        if (!value) isComplete = false;
        return value ?? '';
      });
      return isComplete ? withSlashes(`${prefix}/${path}`) : undefined;
    },
  };
}

/** Only pages are published at an address; snippets, data, forms and globals are parts of others. */
export function hasPages({ kind = 'page', urlPrefix, urlPattern }: CollectionConfig): boolean {
  return kind === 'page' && (urlPrefix !== undefined || urlPattern !== undefined);
}

/** The collection's own page, and the pattern of its documents'. */
export function toPaged({ urlPrefix, urlPattern, parentField }: CollectionConfig) {
  const prefix = urlPrefix ?? fixedPart(urlPattern ?? '');
  return { prefix, pattern: urlPattern ?? `${urlPrefix}/:slug`, parentField };
}

/** `/journal` of `/journal/:year/:slug`: where the collection's own page is if no `urlPrefix` says so. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => part.includes(':'));
  return parts.slice(0, first < 0 ? undefined : first).join('/');
}

/** The slugs of the parents, the outermost first, and its own. */
function toTrail(
  document: AddressedDocument,
  parentField: string | undefined,
  parentOf: FindParent | undefined,
): string[] | undefined {
  const slugs = [document.slug];
  if (parentField === undefined) return slugs;
  for (let child = document; slugs.length <= MAX_DEPTH; ) {
    const slug = child.data[parentField];
    if (typeof slug !== 'string' || slug === '') return slugs;
    const parent = parentOf?.(child, slug);
    if (!parent) return undefined;
    slugs.unshift(parent.slug);
    child = parent;
  }
  return undefined;
}

function placeholderValue(
  document: AddressedDocument,
  name: string,
  defaultLocale: string | undefined,
): string | undefined {
  if (name === 'id') return document.id;
  if (name === 'locale') return document.locale ?? defaultLocale;
  const date = typeof document.data.date === 'string' ? document.data.date : document.createdAt;
  if (name === 'year') return date.slice(0, 4);
  if (name === 'month') return date.slice(5, 7);
  if (name === 'day') return date.slice(8, 10);
  const value = document.data[name];
  return typeof value === 'string' || typeof value === 'number' ? toSlug(`${value}`) : undefined;
}

function withSlashes(path: string): string {
  return `/${path}/`.replace(/\/+/g, '/');
}
