// The documents that wait for a scheduled time, to be published or withdrawn. Kept beside the view, so that the
// heartbeat need not look through all documents once a minute to find the two that are due.
import { createCompare, createOrder, type RowOrder } from './order.ts';
import { createPlace, type RowPlace } from './place.ts';
import type { Row } from './row.ts';
import type { ContentView } from './view.ts';

export type DueKind = 'publish' | 'unpublish';

export interface DueTimes {
  /** Rows with such a time, the soonest first. Rows that the view had at the start are missing until `fill` is done. */
  waiting(kind: DueKind): Generator<Row>;
  /** Rows that are due at that time. */
  due(now: Date): Row[];
  /** Adds the rows that the view has already, in small steps. They must be in memory. */
  fill(): Generator<void>;
}

const TIME: Record<DueKind, (row: Row) => string | undefined> = {
  publish: (row) => row.publishAt,
  // A document that is not published, and will not be, cannot be withdrawn.
  unpublish: (row) => (row.status === 'published' || row.publishAt !== undefined ? row.unpublishAt : undefined),
};

/** Rows between two yields. */
const STEP = 256;

interface Waiting {
  order: RowOrder;
  places: Map<string, RowPlace>;
  timeOf(row: Row): string | undefined;
}

export function createDueTimes(view: ContentView): DueTimes {
  const lists: Record<DueKind, Waiting> = { publish: createWaiting('publish'), unpublish: createWaiting('unpublish') };

  function add({ order, places, timeOf }: Waiting, row: Row): void {
    if (timeOf(row) === undefined) return;
    const place = createPlace(row);
    places.set(row.id, place);
    order.add(place);
  }

  function remove({ order, places, timeOf }: Waiting, row: Row): void {
    const place = timeOf(row) === undefined ? undefined : places.get(row.id);
    if (!place) return;
    places.delete(row.id);
    order.remove(place);
  }

  const all = Object.values(lists);
  view.subscribe((before, after) => {
    for (const list of all) {
      if (before) remove(list, before);
      if (after) add(list, after);
    }
  });

  return {
    waiting: (kind) => lists[kind].order.from(0),
    due(now) {
      const at = now.toISOString();
      const due = new Set<Row>();
      for (const row of lists.publish.order.from(0)) {
        if (row.publishAt! > at) break;
        due.add(row);
      }
      for (const row of lists.unpublish.order.from(0)) {
        if (row.unpublishAt! > at) break;
        if (row.status === 'published') due.add(row);
      }
      return [...due];
    },
    *fill() {
      let steps = 0;
      for (const { rows } of view.collections()) {
        // This also visits rows that are added meanwhile; those are in their list already.
        for (const row of rows.values()) {
          if (++steps % STEP === 0) yield;
          if (row.publishAt === undefined && row.unpublishAt === undefined) continue;
          for (const list of Object.values(lists)) {
            // The row may have been changed or removed during the last yield.
            if (!list.places.has(row.id) && view.byId(row.id) === row) add(list, row);
          }
        }
      }
    },
  };
}

function createWaiting(kind: DueKind): Waiting {
  const timeOf = TIME[kind];
  return { order: createOrder([], createCompare(timeOf, 'asc')), places: new Map(), timeOf };
}
