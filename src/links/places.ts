// The places of each link: the first few and their number. Pure.
import type { FoundLink } from './collect-links.ts';

export interface LinkPlace {
  collection: string;
  slug: string;
  field: string;
}

export interface LinkPlaces {
  first: LinkPlace[];
  count: number;
}

/** An editor who has fixed the first ten finds the others with the search. */
const MAX_PLACES = 10;

/** Counts a place under a key; returns false if the map is full and lacks the key. */
export function addPlace(
  places: Map<string, LinkPlaces>,
  key: string,
  { collection, slug }: { collection: string; slug: string },
  { field }: FoundLink,
  max: number,
): boolean {
  let kept = places.get(key);
  if (!kept) {
    if (places.size >= max) return false;
    kept = { first: [], count: 0 };
    places.set(key, kept);
  }
  kept.count++;
  if (kept.first.length < MAX_PLACES) kept.first.push({ collection, slug, field });
  return true;
}
