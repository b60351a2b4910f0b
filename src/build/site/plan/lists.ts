// Pages of lists: the list of a collection, of a tag, and of the newest documents on a home page without a document.
// A list has a name (`posts en`), which facts and the state use.
import type { SiteDocument } from '../read/site-document.ts';
import { newestFirst, type SiteMap } from './site-map.ts';

export const PAGE_SIZE = 20;

export type ListName =
  | { kind: 'collection'; collection: string; locale: string }
  | { kind: 'tag'; tag: string; locale: string }
  | { kind: 'home'; locale: string };

export interface Lists {
  documents(list: ListName): readonly SiteDocument[];
  pages(list: ListName): number;
  slice(list: ListName, number: number): readonly SiteDocument[];
  /** What a page of a list shows: `<list as text> <number>`. */
  stamp(rest: string): string;
}

export function createLists(site: SiteMap): Lists {
  const homes = new Map<string, SiteDocument[]>();

  function home(locale: string): readonly SiteDocument[] {
    const known = homes.get(locale);
    if (known) return known;
    const all = site.addresses.collections
      .filter((name) => name !== 'pages')
      .flatMap((name) => site.paged(name, locale));
    all.sort(newestFirst);
    homes.set(locale, all);
    return all;
  }

  function documents(list: ListName): readonly SiteDocument[] {
    if (list.kind === 'collection') return site.paged(list.collection, list.locale);
    if (list.kind === 'home') return home(list.locale);
    return site.tags(list.locale).find(({ slug }) => slug === list.tag)?.documents ?? [];
  }
  const pages = (list: ListName): number => Math.max(1, Math.ceil(documents(list).length / PAGE_SIZE));
  const slice = (list: ListName, number: number): readonly SiteDocument[] =>
    documents(list).slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);

  return {
    documents,
    pages,
    slice,
    stamp(rest) {
      const space = rest.lastIndexOf(' ');
      const list = parseList(rest.slice(0, space));
      const number = Number(rest.slice(space + 1));
      const ids = slice(list, number).map(({ id }) => id);
      return `${documents(list).length} ${ids.join(' ')}`;
    },
  };
}

export function listText(list: ListName): string {
  if (list.kind === 'collection') return `collection ${list.locale} ${list.collection}`;
  return list.kind === 'tag' ? `tag ${list.locale} ${list.tag}` : `home ${list.locale} `;
}

function parseList(text: string): ListName {
  const [kind = '', locale = '', name = ''] = text.split(' ');
  if (kind === 'collection') return { kind, locale, collection: name };
  return kind === 'tag' ? { kind, locale, tag: name } : { kind: 'home', locale };
}

/** Path of a page of a list whose first page is at `path`. */
export function pageOfList(path: string, number: number): string {
  return number === 1 ? path : `${path}page/${number}/`;
}
