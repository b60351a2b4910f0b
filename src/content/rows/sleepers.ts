// The rows of a collection that were not asked for since the start: found like all others, and brought into memory one by
// one when they are, or in quiet times.
import type { RowPlace } from './place.ts';
import type { SavedRows } from './saved-rows.ts';

export interface Sleepers {
  /** How many are left. */
  readonly size: number;
  findId(id: string): RowPlace | undefined;
  findSlug(slug: string): RowPlace | undefined;
  /** Of those that are left. */
  ids(): Generator<string>;
  /** Those that are left, in the order of lists that nobody asked another order of; they go on sleeping. */
  places(): RowPlace[];
  wakeAll(): void;
  /** The same in steps; others may wake some meanwhile. */
  wakeGradually(): Generator<void>;
  /** Wakes all, and takes what was not read yet of those that were woken before. */
  loadRows(): Generator<void>;
}

const STEP = 32;

/** `wake` is called once for each. */
export function createSleepers(saved: SavedRows, wake: (place: RowPlace) => void): Sleepers {
  const isAwake = new Uint8Array(saved.count);
  let size = saved.count;

  function wakeOne(i: number): RowPlace | undefined {
    if (i < 0 || isAwake[i]) return undefined;
    const place = saved.place(i);
    const { row } = place;
    isAwake[i] = 1;
    size--;
    wake(place);
    return row && place;
  }

  return {
    get size() {
      return size;
    },
    findId: (id) => wakeOne(saved.findId(id)),
    findSlug: (slug) => wakeOne(saved.findSlug(slug)),
    *ids() {
      for (let i = 0; i < saved.count; i++) if (!isAwake[i]) yield saved.idAt(i);
    },
    places() {
      const places: RowPlace[] = [];
      for (let i = 0; i < saved.count; i++) if (!isAwake[i]) places.push(saved.place(i));
      return places;
    },
    wakeAll() {
      for (let i = 0; i < saved.count; i++) wakeOne(i);
    },
    *wakeGradually() {
      for (let i = 0; i < saved.count; i++) {
        wakeOne(i);
        if (i % STEP === STEP - 1) yield;
      }
    },
    *loadRows() {
      let steps = 0;
      for (const i of saved.take()) {
        wakeOne(i);
        if (++steps % STEP === 0) yield;
      }
    },
  };
}
