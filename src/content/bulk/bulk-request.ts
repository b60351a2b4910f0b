// A bulk request as the content service takes it.
import type { Actor } from '../../access/principal.ts';
import type { Idempotency } from '../commits/idempotency.ts';
import type { BulkOperationInput } from './input.ts';

/** `mayPublish`: the caller has content:publish, which `publish` and `unpublish` need. */
export interface BulkRequest {
  operations: readonly BulkOperationInput[];
  actor: Actor;
  mayPublish: boolean;
  requestId?: string | undefined;
  idempotency?: Idempotency | undefined;
  /** Whether a value of `ifMatch` accepts an entity tag. */
  matches(ifMatch: string, etag: string): boolean;
}
