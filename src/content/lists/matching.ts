// The documents that match every filter of a list: from the indexes of their keys, and for texts that have to be looked
// into one by one.
import type { CollectionView } from '../rows/collection-view.ts';
import type { RowPlace } from '../rows/place.ts';
import type { TypedFilter } from './typed-filter.ts';

/** Fewer documents are read one by one: faster than a set of everything that another filter matches. */
const READ_ONE_BY_ONE = 256;
/** Documents between two yields. */
const STEP = 32;

type Indexed = TypedFilter & { ranges: NonNullable<TypedFilter['ranges']> };

/** Yields between steps; rows must not change meanwhile, or the result is that of neither state. */
export function* findMatching(
  view: CollectionView,
  filters: readonly TypedFilter[],
): Generator<undefined, ReadonlySet<RowPlace>> {
  const indexed = filters
    .filter((filter): filter is Indexed => filter.ranges !== undefined)
    .map((filter) => ({ filter, size: sizeOf(view, filter) }))
    .sort((a, b) => a.size - b.size)
    .map(({ filter }) => filter);
  let found: Set<RowPlace> | undefined;
  const unread: TypedFilter[] = filters.filter(({ ranges }) => ranges === undefined);
  for (const filter of indexed) {
    if (found && found.size <= READ_ONE_BY_ONE) {
      unread.push(filter);
      continue;
    }
    const matching = yield* fromIndex(view, filter);
    if (!found && !filter.isNegated) found = matching;
    else found = intersect(found ?? new Set(view.filters.places()), matching, filter.isNegated);
    yield undefined;
  }
  found ??= new Set(view.filters.places());
  if (unread.length === 0) return found;
  const readers = unread.map((filter) => ({ filter, read: view.filters.readerOf(filter.key) }));
  const fitting = new Set<RowPlace>();
  let steps = 0;
  for (const place of found) {
    if (readers.every(({ filter, read }) => filter.test(read(place.row)) !== filter.isNegated)) fitting.add(place);
    if (++steps % STEP === 0) yield undefined;
  }
  return fitting;
}

/** What the filter would match if it were not negated. */
function* fromIndex(
  view: CollectionView,
  { key, ranges, isExact, test }: Indexed,
): Generator<undefined, Set<RowPlace>> {
  const index = view.filters.get(key);
  const matching = new Set<RowPlace>();
  const read = view.filters.readerOf(key);
  let steps = 0;
  for (const range of ranges) {
    for (const place of index.places(range)) {
      if (isExact || test(read(place.row))) matching.add(place);
      if (!isExact && ++steps % STEP === 0) yield undefined;
    }
  }
  return matching;
}

function sizeOf(view: CollectionView, { key, ranges, isNegated }: Indexed): number {
  const index = view.filters.get(key);
  const size = ranges.reduce((sum, range) => sum + index.count(range), 0);
  return isNegated ? view.rows.size - size : size;
}

function intersect(found: ReadonlySet<RowPlace>, matching: ReadonlySet<RowPlace>, isNegated: boolean): Set<RowPlace> {
  const both = new Set<RowPlace>();
  for (const place of found) if (matching.has(place) !== isNegated) both.add(place);
  return both;
}
