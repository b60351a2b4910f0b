// The version of an item, for `ETag` and `If-Match`: who decides about an item, or edits it, means what they saw. Pure.
import { hash } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';
import { CurationItem } from './item.ts';

/** Whether a caller means the version with this tag. */
export type ItemMatch = (etag: string) => boolean;

export function itemEtag(item: CurationItem): string {
  // In the schema's order, as the file has it.
  return `"${hash('sha256', JSON.stringify(CurationItem.parse(item))).slice(0, 16)}"`;
}

/** @throws ServiceError 412 with the present version */
export function checkItemMatch(ifMatch: ItemMatch | undefined, item: CurationItem): void {
  if (!ifMatch) return;
  const etag = itemEtag(item);
  if (ifMatch(etag)) return;
  throw new ServiceError('precondition_failed', `item "${item.id}" has changed since; read it again`, {
    headers: { etag },
  });
}
