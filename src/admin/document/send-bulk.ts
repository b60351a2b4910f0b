// One request that does something to each of many documents, and what it answers of each.
import type { Client } from '../api/client.ts';
import { randomId } from '../api/random-id.ts';

export type BulkOperation =
  | { op: 'publish' | 'unpublish'; id: string }
  | { op: 'delete'; id: string; ifUnreferenced?: boolean }
  | { op: 'restore'; id: string; commit?: string }
  | { op: 'update'; id: string; status?: 'archived' | 'draft'; data?: { tags: readonly string[] } };

export interface BulkResult {
  status: number;
  error?: string;
  details?: readonly { path: string; message: string }[];
  /** Who points to a document that is deleted only if nobody does: the first of `total`. */
  references?: readonly { collection: string; slug: string }[];
  total?: number;
}

/** As many operations as the service takes at a time. */
export const MOST_OPERATIONS = 500;

export async function sendBulk(
  operations: readonly BulkOperation[],
  { request, collection }: { request: Client; collection: string },
): Promise<readonly BulkResult[]> {
  if (operations.length === 0) return [];
  const url = `/api/cms/${encodeURIComponent(collection)}/bulk`;
  const headers = { 'Idempotency-Key': randomId() };
  const { data } = await request<{ results: readonly BulkResult[] }>('POST', url, { body: { operations }, headers });
  return data.results;
}

/** Why an operation was refused, as a sentence; undefined if it was not. */
export function toReason({ status, error, details }: BulkResult): string | undefined {
  if (status < 400) return undefined;
  const more = details?.map(({ path, message }) => (path ? `${path} ${message}` : message)) ?? [];
  return more.length > 0 ? more.join('; ') : (error ?? String(status));
}
