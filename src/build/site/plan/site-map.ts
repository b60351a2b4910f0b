// Who is where, and next to whom: addresses, lists, neighbours, tags, children, translations and backlinks of the
// documents of a build. A pure function of the documents and the configuration; reads no file.
import type { SiteConfig } from '../../../config/site-config.ts';
import { type Addresses, createAddresses } from '../../../schema/address.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { findCycle } from './cycles.ts';
import { createTagPages, type SiteTag } from './tags.ts';

export interface SiteMap {
  documents: readonly SiteDocument[];
  /** The site's, the default one first; one empty name if the site has no locales. */
  locales: readonly string[];
  addresses: Addresses;
  /** Path of a locale's root. */
  homeOf(locale: string): string;
  /** Whether a locale has a home page: the default one, and those with a page. */
  hasHome(locale: string): boolean;
  byId(id: string): SiteDocument | undefined;
  bySlug(collection: string, slug: string): SiteDocument | undefined;
  /** Path of the document's page, if it has one. */
  pathOf(id: string): string | undefined;
  /** Newest first, then by id. */
  list(collection: string, locale: string): readonly SiteDocument[];
  /** Those with a page, newest first. */
  paged(collection: string, locale: string): readonly SiteDocument[];
  /** The neighbours in its collection's order: the newer one, and the older. */
  previousOf(id: string): SiteDocument | undefined;
  nextOf(id: string): SiteDocument | undefined;
  parentOf(doc: SiteDocument): SiteDocument | undefined;
  childrenOf(id: string): readonly SiteDocument[];
  /** Sorted by locale as the site has them, itself included if there are others. */
  translationsOf(id: string): readonly SiteDocument[];
  pointingAt(id: string): readonly SiteDocument[];
  /** Sorted by name. */
  tags(locale: string): readonly SiteTag[];
  findTag(locale: string, name: string): SiteTag | undefined;
  /** Documents without a page that could have one, and why. */
  withoutPage: readonly { id: string; reason: string }[];
}

/** `documents` are those that the build shows. @throws PlanError if parents form a cycle, or two have one address */
export function createSiteMap(config: SiteConfig, documents: readonly SiteDocument[]): SiteMap {
  const addresses = createAddresses(config);
  const locales = [...new Set([config.defaultLocale ?? '', ...config.locales, ...documents.map(localeOf)])];
  const newest = [...documents].sort(newestFirst);
  const byId = new Map(documents.map((doc) => [doc.id, doc]));
  const collections = groupBy(documents, ({ collection }) => collection);
  const slugs = new Map(Array.from(collections, ([name, docs]) => [name, new Map(docs.map((doc) => [doc.slug, doc]))]));
  const bySlug: SiteMap['bySlug'] = (collection, slug) => slugs.get(collection)?.get(slug);
  const parentFields = new Map(config.collections.map(({ name, parentField }) => [name, parentField]));
  const lists = groupBy(newest, (doc) => `${doc.collection} ${localeOf(doc)}`);

  const translations = groupTranslations(documents, bySlug, locales);

  function parentOf(doc: SiteDocument): SiteDocument | undefined {
    const field = parentFields.get(doc.collection);
    const slug = field === undefined ? undefined : doc.data[field];
    const parent = typeof slug === 'string' && slug !== '' ? bySlug(doc.collection, slug) : undefined;
    if (!parent || localeOf(parent) === localeOf(doc)) return parent;
    // A translation that names its source's parent is below that parent's translation, if there is one.
    return translations.get(parent.id)?.find((other) => localeOf(other) === localeOf(doc)) ?? parent;
  }
  const mayHaveParents = documents.filter((doc) => parentFields.get(doc.collection) !== undefined);
  findCycle(mayHaveParents, parentOf);
  const paths = new Map<string, string>();
  const withoutPage: { id: string; reason: string }[] = [];
  for (const doc of documents) {
    const path = addresses.pathOf(doc, (child) => parentOf(child as SiteDocument));
    if (path !== undefined) paths.set(doc.id, path);
    else if (addresses.collections.includes(doc.collection)) withoutPage.push({ id: doc.id, reason: whyNone(doc) });
  }
  function whyNone(doc: SiteDocument): string {
    const field = parentFields.get(doc.collection);
    const named = field !== undefined && typeof doc.data[field] === 'string' && doc.data[field] !== '';
    return named ? 'one of its parents is not published' : 'a part of its address has no value';
  }

  const paged = new Map<string, SiteDocument[]>();
  const places = new Map<string, { list: readonly SiteDocument[]; at: number }>();
  for (const [key, list] of lists) {
    const shown = list.filter(({ id }) => paths.has(id));
    paged.set(key, shown);
    const order = shown.length === 0 ? list : shown;
    order.forEach(({ id }, at) => void places.set(id, { list: order, at }));
  }
  const neighbour = (id: string, step: number): SiteDocument | undefined => {
    const place = places.get(id);
    return place?.list[place.at + step];
  };
  const withPages = new Set(documents.filter(({ id }) => paths.has(id)).map(localeOf));
  const children = groupBy(mayHaveParents, (doc) => parentOf(doc)?.id);
  const backlinks = new Map<string, SiteDocument[]>();
  for (const doc of documents) {
    for (const point of doc.points) {
      const slash = point.indexOf('/');
      const target = bySlug(point.slice(0, slash), point.slice(slash + 1));
      if (!target) continue;
      const pointing = backlinks.get(target.id);
      if (pointing) pointing.push(doc);
      else backlinks.set(target.id, [doc]);
    }
  }
  for (const list of [...children.values(), ...backlinks.values()]) list.sort(newestFirst);
  const tags = createTagPages(
    newest.filter(({ id }) => paths.has(id)),
    config.defaultLocale ?? '',
  );
  const none: readonly SiteDocument[] = [];

  return {
    documents,
    locales,
    addresses,
    homeOf: (locale) => (locale === (config.defaultLocale ?? '') ? '/' : `/${locale}/`),
    hasHome: (locale) => locale === locales[0] || withPages.has(locale),
    byId: (id) => byId.get(id),
    bySlug,
    pathOf: (id) => paths.get(id),
    list: (collection, locale) => lists.get(`${collection} ${locale}`) ?? none,
    paged: (collection, locale) => paged.get(`${collection} ${locale}`) ?? none,
    previousOf: (id) => neighbour(id, -1),
    nextOf: (id) => neighbour(id, 1),
    parentOf,
    childrenOf: (id) => children.get(id) ?? none,
    translationsOf: (id) => translations.get(id) ?? none,
    pointingAt: (id) => backlinks.get(id) ?? none,
    tags: tags.list,
    findTag: tags.find,
    withoutPage,
  };
}

export function localeOf(doc: Pick<SiteDocument, 'locale'>): string {
  return doc.locale ?? '';
}

export function newestFirst(a: SiteDocument, b: SiteDocument): number {
  return b.time - a.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** By the group that they share; a file that was written by hand may name its source alone. */
function groupTranslations(
  documents: readonly SiteDocument[],
  bySlug: SiteMap['bySlug'],
  locales: readonly string[],
): Map<string, SiteDocument[]> {
  const nameOfGroup = (doc: SiteDocument): string | undefined => {
    const source = doc.translationOf === undefined ? undefined : bySlug(doc.collection, doc.translationOf);
    return doc.translationGroup ?? source?.translationGroup ?? source?.id;
  };
  const groups = groupBy(documents, nameOfGroup);
  // A document that names no group may be the one that others name.
  for (const doc of groups.size === 0 ? [] : documents)
    if (nameOfGroup(doc) === undefined) groups.get(doc.id)?.push(doc);
  const byId = new Map<string, SiteDocument[]>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    group.sort((a, b) => locales.indexOf(localeOf(a)) - locales.indexOf(localeOf(b)) || newestFirst(a, b));
    for (const { id } of group) byId.set(id, group);
  }
  return byId;
}
