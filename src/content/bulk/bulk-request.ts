// A bulk request as the content service takes it.
import type { Actor } from '../../access/principal.ts';
import type { RestoreCommand } from '../commands.ts';
import type { Idempotency } from '../commits/idempotency.ts';
import type { BulkOperationInput, OfferedOperation } from './input.ts';

/** `mayPublish`: the caller has content:publish, which `publish` and `unpublish` need. */
export interface BulkRequest {
  operations: readonly OfferedOperation[];
  actor: Actor;
  mayPublish: boolean;
  requestId?: string | undefined;
  idempotency?: Idempotency | undefined;
  /** Whether a value of `ifMatch` accepts an entity tag. */
  matches(ifMatch: string, etag: string): boolean;
  /** What a `restore` writes. @throws ServiceError 404, or 409 for a document that is there and no commit */
  restorable(idOrSlug: string, commit: string | undefined): Promise<RestoreCommand>;
}

export type RestoreOperation = Extract<BulkOperationInput, { op: 'restore' }>;

/** Whether the decision asks who points to a document. */
export function asksReferences(operation: OfferedOperation): boolean {
  if (operation.op === 'update') return operation.updateReferences === true;
  return operation.op === 'delete' && operation.ifUnreferenced === true;
}
