// Which paths of the site exist, and the path of a document. A frontend may have its own pages that the service does
// not know; a link to one of them is reported as broken.
import type { Row } from '../content/rows/row.ts';
import type { ContentView } from '../content/rows/view.ts';
import type { CollectionSchema } from '../schema/collection.ts';

export type PageProblem = 'not_found' | 'not_published';

export interface Pages {
  /** Returns undefined if the document has no page, or its path cannot be derived from slug and locale. */
  pathOf(row: Pick<Row, 'collection' | 'slug' | 'locale'>): string | undefined;
  /** Returns undefined if the path exists. */
  problemOf(path: string): PageProblem | undefined;
}

export interface PagesParts {
  view: Pick<ContentView, 'bySlug'>;
  collections: readonly CollectionSchema[];
  locales: readonly string[];
  hasMedia(slug: string): boolean;
  hasForm(name: string): boolean;
}

/** Files that a build adds to the pages. */
const BUILT = new Set(['/robots.txt', '/sitemap.xml', '/feed.xml', '/rss.xml', '/atom.xml', '/favicon.ico']);

export function createPages({ view, collections, locales, hasMedia, hasForm }: PagesParts): Pages {
  const places = collections.flatMap(toPlace);
  const byName = new Map(places.map((place) => [place.name, place]));

  /** Tries every collection whose documents could have the path; returns the mildest problem. */
  function documentAt(path: string): PageProblem | undefined | 'no_place' {
    let found: PageProblem | 'no_place' = 'no_place';
    for (const place of places) {
      if (path === place.index) return undefined;
      const slug = place.pattern.exec(path)?.groups?.slug;
      if (slug === undefined) continue;
      const row = view.bySlug(place.name, slug);
      if (row?.status === 'published') return undefined;
      if (row) found = 'not_published';
      else if (found === 'no_place') found = 'not_found';
    }
    return found;
  }

  return {
    pathOf({ collection, slug, locale }) {
      return byName.get(collection)?.write(slug, locale);
    },
    problemOf(asked) {
      const path = withoutEnding(asked);
      if (path === '/' || BUILT.has(path) || path.startsWith('/api/')) return undefined;
      if (path.startsWith('/uploads/')) return hasMedia(path.slice('/uploads/'.length)) ? undefined : 'not_found';
      if (path.startsWith('/forms/')) return hasForm(path.slice('/forms/'.length)) ? undefined : 'not_found';
      const problem = documentAt(path);
      if (problem === undefined) return undefined;
      const [, first = '', rest = ''] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
      // A translated site has its locales at the beginning of paths.
      if (locales.includes(first) && (rest === '' || documentAt(rest) === undefined)) return undefined;
      return problem === 'no_place' ? 'not_found' : problem;
    },
  };
}

interface CollectionPage {
  name: string;
  /** Path of the collection's own page. */
  index: string;
  pattern: RegExp;
  /** Returns undefined if the path depends on more than slug and locale. */
  write(slug: string, locale: string | undefined): string | undefined;
}

function toPlace({ name, config }: CollectionSchema): CollectionPage[] {
  const { urlPrefix, urlPattern, parentField } = config;
  if (urlPrefix === undefined && urlPattern === undefined) return [];
  const prefix = withoutEnding(`/${urlPrefix ?? ''}`);
  const below = prefix === '/' ? '' : prefix;
  const written = urlPattern === undefined ? `${below}/:slug` : withoutEnding(`/${urlPattern}`);
  // The path of a child page has its parents' slugs before its own.
  const parents = parentField === undefined ? '' : '(?:[^/]+/)*';
  let hasSlug = false;
  const source = written.split(/(:[A-Za-z]+)/).map((part) => {
    if (part !== ':slug' || hasSlug)
      return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    hasSlug = true;
    return `${parents}(?<slug>[^/]+)`;
  });
  return [
    {
      name,
      index: prefix,
      pattern: new RegExp(`^${source.join('')}$`),
      write(slug, locale = '') {
        const path = written.replaceAll(':slug', slug).replaceAll(':locale', locale);
        return /:[A-Za-z]/.test(path) || parents !== '' ? undefined : path;
      },
    },
  ];
}

/** Turns `/a/`, `//a`, `/a/index.html` and `/a.html` into `/a`. */
function withoutEnding(path: string): string {
  const clean = path
    .replace(/\/+/g, '/')
    .replace(/\/index\.html$/, '/')
    .replace(/\.html$/, '');
  return clean.length > 1 ? clean.replace(/\/$/, '') : '/';
}
