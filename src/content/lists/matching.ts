// The documents that match every filter of a list: from the indexes of their keys, and for texts that have to be looked
// into one by one.
import type { CollectionView } from '../rows/collection-view.ts';
import type { SlotSet } from '../rows/slot-set.ts';
import type { TypedFilter } from './typed-filter.ts';

/** Fewer documents are read one by one: faster than a look at everything that another filter matches. */
const READ_ONE_BY_ONE = 32;
/** Documents between two yields. */
const STEP = 32;

type Indexed = TypedFilter & { ranges: NonNullable<TypedFilter['ranges']> };

/** The slots of the documents. Yields between steps; if rows change meanwhile, the result is that of neither state. */
export function* findMatching(view: CollectionView, filters: readonly TypedFilter[]): Generator<undefined, SlotSet> {
  const indexed = filters
    .filter((filter): filter is Indexed => filter.ranges !== undefined)
    .map((filter) => ({ filter, size: sizeOf(view, filter) }))
    .sort((a, b) => a.size - b.size)
    .map(({ filter }) => filter);
  let found: SlotSet | undefined;
  const unread: TypedFilter[] = filters.filter(({ ranges }) => ranges === undefined);
  for (const filter of indexed) {
    if (found && found.count() <= READ_ONE_BY_ONE) {
      unread.push(filter);
      continue;
    }
    const { isNegated, isExact, key, ranges } = filter;
    let matching = view.filters.none();
    const index = view.filters.get(key);
    for (const range of ranges) index.collect(range, matching);
    if (!isExact) matching = yield* looked(view, matching, [filter], false);
    if (found || isNegated) (found ??= view.filters.all()).keep(matching, isNegated);
    else found = matching;
    yield undefined;
  }
  found ??= view.filters.all();
  return unread.length === 0 ? found : yield* looked(view, found, unread, true);
}

/** Those of the documents that fit all filters when they are read; `isWhole` regards `ne` and `nin` as negated. */
function* looked(
  view: CollectionView,
  slots: SlotSet,
  filters: readonly TypedFilter[],
  isWhole: boolean,
): Generator<undefined, SlotSet> {
  const readers = filters.map(({ key, test, isNegated }) => ({
    read: view.filters.readerOf(key),
    test,
    isNegated: isWhole && isNegated,
  }));
  const fitting = view.filters.none();
  let steps = 0;
  for (const slot of slots.slots()) {
    const row = view.filters.rowAt(slot);
    if (row && readers.every(({ read, test, isNegated }) => test(read(row)) !== isNegated)) fitting.add(slot);
    if (++steps % STEP === 0) yield undefined;
  }
  return fitting;
}

function sizeOf(view: CollectionView, { key, ranges, isNegated }: Indexed): number {
  const index = view.filters.get(key);
  const size = ranges.reduce((sum, range) => sum + index.count(range), 0);
  return isNegated ? view.rows.size - size : size;
}
