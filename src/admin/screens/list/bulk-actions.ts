// What is done to many documents, as operations of the bulk endpoint, and how each is taken back. Pure.
import type { BulkOperation } from '../../document/send-bulk.ts';
import type { SelectedDocument } from './selection.ts';

export type BulkAction =
  | { kind: 'publish' | 'unpublish' | 'archive' }
  /** Only what nobody points to, until the user knows who does. */
  | { kind: 'delete'; ifUnreferenced: boolean }
  | { kind: 'tag'; tags: readonly string[] };

/** A document; its tags are known if tags are added. */
export type BulkTarget = SelectedDocument & { tags?: readonly string[] };

export interface BulkStep {
  target: BulkTarget;
  operation: BulkOperation;
  undo: BulkOperation;
}

/** What is to be done with one document; undefined if it is so already. */
export function toStep(action: BulkAction, target: BulkTarget): BulkStep | undefined {
  const { id, status } = target;
  if (action.kind === 'delete') {
    const { ifUnreferenced } = action;
    return { target, operation: { op: 'delete', id, ifUnreferenced }, undo: { op: 'restore', id } };
  }
  if (action.kind === 'tag') {
    const before = target.tags ?? [];
    const tags = [...new Set([...before, ...action.tags])];
    if (tags.length === before.length) return undefined;
    const undo: BulkOperation = { op: 'update', id, data: { tags: before } };
    return { target, operation: { op: 'update', id, data: { tags } }, undo };
  }
  const wanted = { publish: 'published', unpublish: 'draft', archive: 'archived' } as const;
  if (status === wanted[action.kind]) return undefined;
  // An archived document is not public: there is nothing to take back.
  if (action.kind === 'unpublish' && status === 'archived') return undefined;
  return {
    target,
    operation: toStatus(id, wanted[action.kind], status),
    undo: toStatus(id, status, wanted[action.kind]),
  };
}

function toStatus(id: string, to: SelectedDocument['status'], from: SelectedDocument['status']): BulkOperation {
  if (to === 'published') return { op: 'publish', id };
  if (to === 'draft' && from === 'published') return { op: 'unpublish', id };
  return { op: 'update', id, status: to };
}
