// The rows of a collection that nothing has asked for since the start. They are found like all others, and read into
// memory one by one when they are asked for, or when the service is idle.
import type { RowPlace } from './place.ts';
import type { SavedRows } from './saved-rows.ts';

export interface Sleepers {
  /** Number of rows that are still asleep. */
  readonly size: number;
  findId(id: string): RowPlace | undefined;
  findSlug(slug: string): RowPlace | undefined;
  /** Ids of the rows that are still asleep. */
  ids(): Generator<string>;
  /** Places of the rows that are still asleep, in the default order of lists; does not wake them. */
  places(): RowPlace[];
  wakeAll(): void;
  /** The same in steps; other callers may wake rows meanwhile. */
  wakeGradually(): Generator<void>;
  /** Wakes all rows, and reads the bodies of those that were woken before. */
  loadRows(): Generator<void>;
}

const STEP = 32;

/** Calls `wake` once for each row, when it wakes. */
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
      for (const i of saved.loadAll()) {
        wakeOne(i);
        if (++steps % STEP === 0) yield;
      }
    },
  };
}
