// The present value of every fact that a page may have been made from, as a short text. It must differ whenever a page
// could see the difference; whatever a template can read without noting a fact follows from the configuration.
import { hash } from 'node:crypto';
import { localeOf, type SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';

export interface FactParts {
  site: SiteMap;
  mediaStamp(slug: string): string;
  /** Hash of a file of the theme; empty if there is no such file. */
  themeStamp(file: string): string;
  /** Ids and numbers of a page of a list (list-pages.ts). */
  listStamp(list: string): string;
}

/** Longer values are hashed. */
const SHORT = 40;

export function createFacts({ site, mediaStamp, themeStamp, listStamp }: FactParts): (fact: string) => string {
  const ids = (docs: readonly SiteDocument[]): string => docs.map(({ id }) => id).join(' ');
  const idOf = (doc: SiteDocument | undefined): string => doc?.id ?? '';
  const kinds: Record<string, (rest: string) => string> = {
    doc(rest) {
      const doc = site.byId(rest.slice(0, rest.indexOf(' ')));
      return doc ? propertyOf(site, doc, rest.slice(rest.indexOf(' ') + 1)) : '';
    },
    previous: (id) => idOf(site.previousOf(id)),
    next: (id) => idOf(site.nextOf(id)),
    parent(id) {
      const doc = site.byId(id);
      return doc ? idOf(site.parentOf(doc)) : '';
    },
    children: (id) => ids(site.childrenOf(id)),
    translations: (id) => ids(site.translationsOf(id)),
    backlinks: (id) => ids(site.pointingAt(id)),
    slug(place) {
      const slash = place.indexOf('/');
      return idOf(site.bySlug(place.slice(0, slash), place.slice(slash + 1)));
    },
    documents(rest) {
      const space = rest.indexOf(' ');
      return ids(site.list(rest.slice(0, space), rest.slice(space + 1)));
    },
    tags: (locale) =>
      site
        .tags(locale)
        .map(({ name, url, documents }) => `${name} ${url} ${documents.length}`)
        .join('\n'),
    tag(rest) {
      const space = rest.indexOf(' ');
      return site.findTag(rest.slice(0, space), rest.slice(space + 1))?.url ?? '';
    },
    tagged(rest) {
      const space = rest.indexOf(' ');
      const tag = site.tags(rest.slice(0, space)).find(({ slug }) => slug === rest.slice(space + 1));
      return tag ? `${tag.documents.length} ${tag.name}` : '';
    },
    counts: (locale) => site.addresses.collections.map((name) => site.paged(name, locale).length).join(' '),
    list: listStamp,
    media: mediaStamp,
    themes: (files) => files.split('\t').map(themeStamp).join(' '),
  };
  return (fact) => {
    const space = fact.indexOf(' ');
    const kind = kinds[fact.slice(0, space)];
    if (!kind) throw new Error(`unreachable: fact "${fact}"`);
    return seal(kind(fact.slice(space + 1)));
  };
}

export function seal(value: string): string {
  return value.length <= SHORT ? value : `#${hash('sha1', value, 'base64url')}`;
}

function propertyOf(site: SiteMap, doc: SiteDocument, name: string): string {
  switch (name) {
    case 'data':
      return doc.oid;
    case 'url':
      return site.pathOf(doc.id) ?? '';
    case 'tags':
      return doc.tags.join('\n');
    case 'locale':
      return localeOf(doc);
    case 'slug':
    case 'collection':
    case 'title':
    case 'description':
    case 'date':
    case 'createdAt':
    case 'updatedAt':
      return doc[name];
    case 'image':
      return doc.image ?? '';
    default:
      throw new Error(`unreachable: property "${name}"`);
  }
}
