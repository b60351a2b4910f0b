// Titles of documents that are known by their slugs. Pure.
import type { StoredDocument } from '../document/stored-document.ts';
import { type CollectionInfo, titleOf } from './manifest.ts';

/** Slugs are asked for in one address. */
export const MOST_TITLES = 50;

export interface TitlesAnswer {
  documents: readonly StoredDocument[];
}

/** The address of the first ones. */
export function toTitlesUrl(collection: string, slugs: readonly string[]): string {
  const asked = slugs.slice(0, MOST_TITLES).map(encodeURIComponent).join(',');
  return `/api/cms/${collection}?limit=${MOST_TITLES}&filter[slug][in]=${asked || '-'}`;
}

/** By slug; those that are missing are not there. */
export function toTitles({ documents }: TitlesAnswer, collection: CollectionInfo): ReadonlyMap<string, string> {
  return new Map(documents.map(({ slug, data }) => [slug, titleOf(data, slug, collection)]));
}
