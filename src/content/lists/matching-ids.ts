// Filters over several collections, for search: the ids of the documents that match, found in slices.
import { invalid, ServiceError } from '../../lib/errors.ts';
import { createInOrder } from '../../lib/queues/in-order.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import { isDocumentKey } from '../rows/key-values.ts';
import type { ContentView } from '../rows/view.ts';
import type { ListFilter } from './filter.ts';
import { findIdsGradually, warmFilters } from './prepare-list.ts';
import { isNegated, type TypedFilter, toTypedFilters } from './typed-filter.ts';

/** Ids, separated by line ends; without a collection those of all collections. */
export type FindMatchingIds = (filters: readonly ListFilter[], collection?: string) => Promise<string>;

type Found = Pick<ContentView, 'collection' | 'collections'>;

/**
 * One search at a time. A filter is refused (400) if its value is of the wrong type in every collection that has the
 * key; in a collection whose type is another one no document has the value.
 */
export function createFindMatchingIds(view: Found): FindMatchingIds {
  const inOrder = createInOrder();
  return async (filters, name) => {
    const one = name === undefined ? undefined : view.collection(name);
    const collections = name === undefined ? [...view.collections()] : one ? [one] : [];
    const wanted = toFiltersOf(collections, filters);
    if (wanted.length === 0) return '';
    return inOrder(async () => {
      const breathe = createBreathe();
      const found: string[] = [];
      for (const { collection, typed } of wanted) {
        await warmFilters(collection, typed, breathe);
        found.push(await findIdsGradually(collection, typed, breathe));
        await breathe();
      }
      return found.filter((ids) => ids !== '').join('\n');
    });
  };
}

interface FilteredCollection {
  collection: CollectionView;
  typed: TypedFilter[];
}

function toFiltersOf(collections: readonly CollectionView[], filters: readonly ListFilter[]): FilteredCollection[] {
  const refused = new Map<ListFilter, ServiceError>();
  const accepted = new Set<ListFilter>();
  const wanted = collections.flatMap((collection): FilteredCollection[] => {
    const typed = filters.map((filter) => {
      const { schema } = collection;
      const isKnown = isDocumentKey(filter.key) || schema.fields.has(filter.key.split('.', 1)[0]!);
      try {
        const [one] = toTypedFilters(schema, [filter]);
        if (isKnown) accepted.add(filter);
        return one;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        refused.set(filter, error);
        return isNegated(filter) ? undefined : NOBODY;
      }
    });
    if (typed.includes(NOBODY)) return [];
    return [{ collection, typed: typed.filter((one): one is TypedFilter => one !== undefined && one !== NOBODY) }];
  });
  const problems = [...refused].filter(([filter]) => !accepted.has(filter));
  if (problems.length > 0) throw invalid(problems.flatMap(([, { details }]) => details ?? []));
  return wanted;
}

/** Stands for a filter that no document of a collection can match. */
const NOBODY = Symbol('nobody');
