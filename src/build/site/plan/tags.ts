// Tags of a locale: spellings with one address are one tag, and its name is the commonest spelling.
import { hash } from 'node:crypto';
import { toSlug } from '../../../lib/text/slug.ts';
import type { SiteDocument } from '../read/site-document.ts';

export interface SiteTag {
  name: string;
  slug: string;
  url: string;
  /** Newest first. */
  documents: readonly SiteDocument[];
}

export interface TagPages {
  list(locale: string): readonly SiteTag[];
  find(locale: string, name: string): SiteTag | undefined;
}

/** `documents` have pages, and are sorted. */
export function createTagPages(documents: readonly SiteDocument[], defaultLocale: string): TagPages {
  const slugs = new Map<string, string>();
  const slugOf = (name: string): string => {
    const known = slugs.get(name);
    if (known !== undefined) return known;
    // A tag of signs alone has no slug of its own.
    const slug = toSlug(name) || `tag-${hash('sha256', name).slice(0, 8)}`;
    slugs.set(name, slug);
    return slug;
  };
  const locales = new Map<string, Map<string, { spellings: Map<string, number>; documents: SiteDocument[] }>>();
  for (const doc of documents) {
    const locale = doc.locale ?? '';
    const tags = locales.get(locale) ?? new Map();
    locales.set(locale, tags);
    for (const name of doc.tags) {
      const slug = slugOf(name);
      const tag = tags.get(slug) ?? { spellings: new Map(), documents: [] };
      tags.set(slug, tag);
      tag.spellings.set(name, (tag.spellings.get(name) ?? 0) + 1);
      if (tag.documents.at(-1) !== doc) tag.documents.push(doc);
    }
  }
  const lists = new Map<string, { list: SiteTag[]; bySlug: Map<string, SiteTag> }>();
  for (const [locale, tags] of locales) {
    const prefix = locale === defaultLocale ? '' : `/${locale}`;
    const list = [...tags].map(([slug, { spellings, documents: tagged }]) => ({
      name: [...spellings].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]![0],
      slug,
      url: `${prefix}/tags/${slug}/`,
      documents: tagged,
    }));
    list.sort((a, b) => (a.slug < b.slug ? -1 : 1));
    lists.set(locale, { list, bySlug: new Map(list.map((tag) => [tag.slug, tag])) });
  }
  return {
    list: (locale) => lists.get(locale)?.list ?? [],
    find: (locale, name) => lists.get(locale)?.bySlug.get(slugOf(name)),
  };
}
