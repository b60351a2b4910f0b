// The places of a collection's rows by tag.
import type { RowPlace } from './place.ts';
import type { Row } from './row.ts';
import type { SlotSet } from './slot-set.ts';

export interface TagPlaces {
  add(place: RowPlace, tags: readonly string[]): void;
  remove(place: RowPlace, tags: readonly string[]): void;
  /** Rows that have all of the tags. */
  withAll(tags: readonly string[]): Row[];
  /** Adds the slots of the documents that have a tag. */
  collect(tag: string, slots: SlotSet): void;
  /** How many of these documents have each tag; all documents if absent. */
  count(slots?: SlotSet): Map<string, number>;
}

export function createTagPlaces(): TagPlaces {
  const postings = new Map<string, Set<RowPlace>>();
  return {
    add(place, tags) {
      for (const tag of tags) {
        const set = postings.get(tag);
        if (set) set.add(place);
        else postings.set(tag, new Set([place]));
      }
    },
    remove(place, tags) {
      for (const tag of tags) {
        const set = postings.get(tag);
        set?.delete(place);
        if (set?.size === 0) postings.delete(tag);
      }
    },
    withAll(tags) {
      const sets = tags.map((tag) => postings.get(tag));
      if (sets.some((set) => !set)) return [];
      const [smallest, ...others] = (sets as Set<RowPlace>[]).sort((a, b) => a.size - b.size);
      return [...(smallest ?? [])].filter((place) => others.every((set) => set.has(place))).map(({ row }) => row);
    },
    collect(tag, slots) {
      for (const { slot } of postings.get(tag) ?? []) slots.add(slot);
    },
    count(slots) {
      const counts = new Map<string, number>();
      for (const [tag, set] of postings) {
        let count = 0;
        if (!slots) count = set.size;
        else for (const { slot } of set) if (slots.has(slot)) count++;
        if (count > 0) counts.set(tag, count);
      }
      return counts;
    },
  };
}
