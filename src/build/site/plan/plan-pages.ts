// Which pages a site has. A document wins over a list, a tag or a form at its address; two documents at one address are
// an error that names both.
import type { SiteConfig } from '../../../config/site-config.ts';
import { isCollectionPage } from './collection-pages.ts';
import { nameOf } from './cycles.ts';
import { type ListName, type Lists, pageOfList } from './lists.ts';
import { PlanError } from './plan-error.ts';
import { localeOf, type SiteMap } from './site-map.ts';

export type PageKind = 'document' | 'list' | 'home' | 'tag' | '404' | 'form';

export interface PlannedPage {
  /** Path of the file in the output. */
  file: string;
  /** Address, with a slash at both ends, or `/404.html`. */
  path: string;
  kind: PageKind;
  /** Empty if the site has none. */
  locale: string;
  /** Names of layouts, of which the first that the theme has is used. */
  layouts: readonly string[];
  /** The id of the document that the page shows. */
  id?: string;
  list?: ListName;
  /** Which page of the list, from 1. */
  number?: number;
  form?: string;
}

export interface SitePlan {
  pages: readonly PlannedPage[];
  /** What a person should know, one sentence each. */
  notes: readonly string[];
  hasPage(path: string): boolean;
}

/** @throws PlanError */
export function planPages(config: SiteConfig, site: SiteMap, lists: Lists): SitePlan {
  const pages = new Map<string, PlannedPage>();
  const notes: string[] = site.withoutPage.map(
    ({ id, reason }) => `document ${nameOf(site.byId(id)!)} has no page: ${reason}`,
  );
  const problems: string[] = [];

  for (const doc of site.documents) {
    const path = site.pathOf(doc.id);
    if (path === undefined) continue;
    const other = pages.get(path);
    if (other) {
      problems.push(
        `documents ${nameOf(site.byId(other.id!)!)} and ${nameOf(doc)} are both at "${path}"; change the slug of one of them`,
      );
      continue;
    }
    const isHome = path === site.homeOf(localeOf(doc));
    const layouts = isHome ? ['home', doc.collection, 'default'] : [doc.collection, 'default'];
    pages.set(path, { ...at(path), kind: isHome ? 'home' : 'document', locale: localeOf(doc), layouts, id: doc.id });
  }
  if (problems.length > 0) throw new PlanError(problems);

  function add(page: PlannedPage): boolean {
    const taken = pages.get(page.path);
    if (!taken) pages.set(page.path, page);
    else if (taken.id !== undefined) {
      notes.push(`document ${nameOf(site.byId(taken.id)!)} takes the place of the ${page.kind} at "${page.path}"`);
    }
    return !taken;
  }
  function addList(path: string, list: ListName, rest: Pick<PlannedPage, 'kind' | 'locale' | 'layouts'>): void {
    if (!add({ ...at(path), ...rest, list, number: 1 })) return;
    for (let number = 2; number <= lists.pages(list); number++) {
      add({ ...at(pageOfList(path, number)), ...rest, list, number });
    }
  }

  for (const locale of site.locales) {
    const home = site.homeOf(locale);
    const hasDocument = pages.get(home)?.id !== undefined;
    if (!hasDocument && site.hasHome(locale))
      addList(home, { kind: 'home', locale }, { kind: 'home', locale, layouts: ['home', 'list', 'default'] });
    for (const { name } of config.collections) {
      const path = site.addresses.indexOf(name, locale || undefined);
      if (path === undefined || path === home || !isCollectionPage(site, name, locale)) continue;
      addList(
        path,
        { kind: 'collection', collection: name, locale },
        { kind: 'list', locale, layouts: [`${name}-list`, 'list', 'default'] },
      );
    }
    for (const { slug, url } of site.tags(locale)) {
      addList(url, { kind: 'tag', tag: slug, locale }, { kind: 'tag', locale, layouts: ['tag', 'list', 'default'] });
    }
  }
  const locale = site.locales[0]!;
  for (const { name } of config.forms) {
    add({ ...at(`/forms/${name}/`), kind: 'form', locale, layouts: ['form', 'default'], form: name });
  }
  add({ file: '404.html', path: '/404.html', kind: '404', locale, layouts: ['404', 'default'] });
  return { pages: [...pages.values()], notes, hasPage: (path) => pages.has(path) };
}

function at(path: string): { file: string; path: string } {
  return { file: `${path.slice(1)}index.html`, path };
}
