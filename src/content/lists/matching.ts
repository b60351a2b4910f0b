// The documents that match every filter of a list: from the indexes of their keys, and for texts that have to be looked
// into one by one.
import type { CollectionView } from '../rows/collection-view.ts';
import { markAll, type RowPlace } from '../rows/place.ts';
import type { TypedFilter } from './typed-filter.ts';

/** Fewer documents are read one by one: faster than a look at everything that another filter matches. */
const READ_ONE_BY_ONE = 256;
/** Documents between two yields. */
const STEP = 32;

type Indexed = TypedFilter & { ranges: NonNullable<TypedFilter['ranges']> };

/** Each document once. Yields between steps; if rows change meanwhile, the result is that of neither state. */
export function* findMatching(
  view: CollectionView,
  filters: readonly TypedFilter[],
): Generator<undefined, readonly RowPlace[]> {
  const indexed = filters
    .filter((filter): filter is Indexed => filter.ranges !== undefined)
    .map((filter) => ({ filter, size: sizeOf(view, filter) }))
    .sort((a, b) => a.size - b.size)
    .map(({ filter }) => filter);
  let found: readonly RowPlace[] | undefined;
  const unread: TypedFilter[] = filters.filter(({ ranges }) => ranges === undefined);
  for (const filter of indexed) {
    if (found && found.length <= READ_ONE_BY_ONE) {
      unread.push(filter);
      continue;
    }
    let matching: readonly RowPlace[] = fromIndex(view, filter);
    if (!filter.isExact) matching = yield* looked(view, matching, [filter], false);
    if (!found && !filter.isNegated) found = matching;
    else {
      const mark = markAll(matching);
      found = (found ?? view.filters.places()).filter((place) => (place.mark === mark) !== filter.isNegated);
    }
  }
  found ??= view.filters.places();
  return unread.length === 0 ? found : yield* looked(view, found, unread, true);
}

/** Those of the documents that fit all filters when they are read; `isWhole` regards `ne` and `nin` as negated. */
function* looked(
  view: CollectionView,
  places: readonly RowPlace[],
  filters: readonly TypedFilter[],
  isWhole: boolean,
): Generator<undefined, RowPlace[]> {
  const readers = filters.map(({ key, test, isNegated }) => ({
    read: view.filters.readerOf(key),
    test,
    isNegated: isWhole && isNegated,
  }));
  const fitting: RowPlace[] = [];
  for (const [at, place] of places.entries()) {
    if (readers.every(({ read, test, isNegated }) => test(read(place.row)) !== isNegated)) fitting.push(place);
    if (at % STEP === STEP - 1) yield undefined;
  }
  return fitting;
}

/** What the filter would match if it were not negated. */
function fromIndex(view: CollectionView, { key, ranges }: Indexed): RowPlace[] {
  const index = view.filters.get(key);
  const places: RowPlace[] = [];
  for (const range of ranges) index.collect(range, places);
  const mark = markAll(places);
  // The second time that a place comes, its mark is another one.
  return places.filter((place) => place.mark === mark && (place.mark = 0) === 0);
}

function sizeOf(view: CollectionView, { key, ranges, isNegated }: Indexed): number {
  const index = view.filters.get(key);
  const size = ranges.reduce((sum, range) => sum + index.count(range), 0);
  return isNegated ? view.rows.size - size : size;
}
