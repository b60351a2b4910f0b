// The report of the link check, by document. Pure.
import type { Answer } from '../../../api/answer.ts';
import { MOST_TITLES, toTitlesUrl } from '../../../config/titles.ts';

export type ShownLinkReport = NonNullable<Answer<'/api/admin/link-check'>['report']>;
export type ShownLinkProgress = NonNullable<Answer<'/api/admin/link-check/progress'>['progress']>;
type BrokenAddress = ShownLinkReport['broken'][number];

export interface LinkFilter {
  kind: '' | BrokenAddress['kind'];
  words: string;
}

export interface BrokenIn {
  collection: string;
  slug: string;
  links: readonly (Pick<BrokenAddress, 'url' | 'kind' | 'status' | 'error'> & { field: string })[];
}

/** Undefined if it is not known yet, or there is no such document any more. */
export type FindTitle = (collection: string, slug: string) => string | undefined;

/** Each document with its broken links, in the order of the report. */
export function byDocument(
  { broken }: ShownLinkReport,
  { kind, words }: LinkFilter,
  findTitle: FindTitle = () => undefined,
): BrokenIn[] {
  const wanted = words.trim().toLowerCase();
  const found = new Map<string, { collection: string; slug: string; links: BrokenIn['links'][number][] }>();
  for (const { documents, ...link } of broken) {
    if (kind !== '' && link.kind !== kind) continue;
    for (const { collection, slug, field } of documents) {
      const isWanted = (text: string): boolean => text.toLowerCase().includes(wanted);
      // Titles are asked for only if they decide.
      if (!isWanted(link.url) && !isWanted(slug) && !isWanted(findTitle(collection, slug) ?? '')) continue;
      const key = JSON.stringify([collection, slug]);
      const entry = found.get(key) ?? { collection, slug, links: [] };
      entry.links.push({ url: link.url, kind: link.kind, status: link.status, error: link.error, field });
      found.set(key, entry);
    }
  }
  return [...found.values()];
}

/** The address of the titles of each collection's documents, by collection and slug, in as few as possible. */
export function toTitleUrls(found: readonly BrokenIn[]): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  for (const [collection, documents] of Map.groupBy(found, (one) => one.collection)) {
    for (let from = 0; from < documents.length; from += MOST_TITLES) {
      const slugs = documents.slice(from, from + MOST_TITLES).map(({ slug }) => slug);
      for (const slug of slugs) urls.set(`${collection}/${slug}`, toTitlesUrl(collection, slugs));
    }
  }
  return urls;
}

/** From 0 to 1; undefined while it is not known how much there is. */
export function shareOf({ asked, due }: ShownLinkProgress): number | undefined {
  if (due === null) return undefined;
  return due === 0 ? 1 : asked / due;
}
