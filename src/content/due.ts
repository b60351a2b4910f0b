// What a document's schedule requires at a given time. Pure. One step at a time, in the order of the scheduled times,
// so that a document whose publication and withdrawal have both passed is published and then withdrawn.
import type { UpdateInput } from './commands.ts';
import type { StoredDocument } from './document.ts';

export type DueStep = { what: 'published' | 'unpublished'; change: UpdateInput };

/** Returns undefined if nothing is due, or no longer due. */
export function dueStep({ status, publishAt, unpublishAt }: StoredDocument, now: Date): DueStep | undefined {
  const at = now.toISOString();
  const isPublication = publishAt !== undefined && publishAt <= at;
  const isWithdrawal = status === 'published' && unpublishAt !== undefined && unpublishAt <= at;
  const isWithdrawalFirst = publishAt !== undefined && unpublishAt !== undefined && unpublishAt < publishAt;
  if (isWithdrawal && (!isPublication || isWithdrawalFirst)) {
    return { what: 'unpublished', change: { status: 'archived', unpublishAt: null } };
  }
  if (!isPublication) return undefined;
  // Nothing was published at the time of the withdrawal, so it must not withdraw what is published now.
  const past = isWithdrawalFirst ? { unpublishAt: null } : {};
  return { what: 'published', change: { status: 'published', publishAt: null, ...past } };
}
