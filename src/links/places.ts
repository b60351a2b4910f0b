// Where each link is: the first few places and how many there are. Pure.
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

/** Whoever mends the first ten finds the others with the search. */
const MAX_PLACES = 10;

/** Counts a place under a key; false where the map is full and has no such key. */
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
