// What can be done with the selected documents, and to how many of them: what would be refused is not offered. Pure.
import { rightsOf } from '../../document/rights.ts';
import type { BulkAction } from './bulk-actions.ts';
import type { ListFacets } from './facets.ts';
import type { ListState } from './list-query.ts';
import type { ListDocument } from './row-pages.ts';
import type { DocumentSelection } from './selection.ts';

export type ActionKind = BulkAction['kind'];
type May = (permission: string) => boolean;
type Publicity = Pick<ListDocument, 'status' | 'publishAt'>;

export const ACTION_KINDS = ['publish', 'unpublish', 'archive', 'delete', 'tag'] as const;
const STATUSES = ['draft', 'published', 'archived'] as const;

/** False also for what is so already. */
export function isPossible(kind: ActionKind, document: Publicity, may: May): boolean {
  const { mayEdit, mayDelete } = rightsOf(may, document);
  if (kind === 'publish') return may('content:publish') && document.status !== 'published';
  if (kind === 'unpublish') return may('content:publish') && document.status === 'published';
  if (kind === 'archive') return mayEdit && document.status !== 'archived';
  return kind === 'delete' ? mayDelete : mayEdit;
}

export interface OfferParts {
  state: Pick<ListState, 'status'>;
  /** Counts of every status; undefined while they are not known. */
  facets: ListFacets | undefined;
  may: May;
}

/** How many of the selected it can be done to; undefined if only trying would show. Absent for none of them. */
export function countOffers(
  selection: DocumentSelection,
  parts: OfferParts,
): ReadonlyMap<ActionKind, number | undefined> {
  const offers = new Map<ActionKind, number | undefined>();
  for (const kind of ACTION_KINDS) {
    const count = countPossible(kind, selection, parts);
    if (count !== 0) offers.set(kind, count);
  }
  return offers;
}

function countPossible(
  kind: ActionKind,
  selection: DocumentSelection,
  { state, facets, may }: OfferParts,
): number | undefined {
  if (selection.kind === 'some') {
    return [...selection.items.values()].filter((one) => isPossible(kind, one, may)).length;
  }
  if (state.status === 'scheduled') {
    const isOffered = STATUSES.some((status) => isPossible(kind, { status, publishAt: 'some day' }, may));
    return isOffered ? undefined : 0;
  }
  const statuses = state.status === 'all' ? STATUSES : [state.status];
  const there = statuses.filter((status) => facets?.status[status] !== 0 && isPossible(kind, { status }, may));
  if (there.length === 0) return 0;
  // Some drafts are scheduled, which not everyone may change; and nobody knows what the exceptions are.
  const isExact = facets !== undefined && selection.except.size === 0 && may('content:write');
  return isExact ? there.reduce((sum, status) => sum + (facets.status[status] ?? 0), 0) : undefined;
}
