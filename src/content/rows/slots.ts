// Small numbers for the places of one collection, so that indexes and sets are arrays of numbers. The slot of a removed
// place is given to the next one.
import type { RowPlace } from './place.ts';
import { SlotSet } from './slot-set.ts';

export interface PlaceSlots {
  enter(place: RowPlace): void;
  leave(place: RowPlace): void;
  /** Undefined if no place has the slot any more. */
  at(slot: number): RowPlace | undefined;
  none(): SlotSet;
  all(): SlotSet;
}

export function createPlaceSlots(): PlaceSlots {
  const places: (RowPlace | undefined)[] = [];
  const free: number[] = [];
  return {
    enter(place) {
      place.slot = free.pop() ?? places.length;
      places[place.slot] = place;
    },
    leave({ slot }) {
      places[slot] = undefined;
      free.push(slot);
    },
    at: (slot) => places[slot],
    none: () => new SlotSet(places.length),
    all() {
      const all = new SlotSet(places.length);
      for (let slot = 0; slot < places.length; slot++) if (places[slot]) all.add(slot);
      return all;
    },
  };
}
