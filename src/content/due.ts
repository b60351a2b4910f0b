// What a document's schedule requires at a given time, and applying it. One step at a time, in the order of the scheduled times,
// so that a document whose publication and withdrawal have both passed is published and then withdrawn.
import type { Actor } from '../access/principal.ts';
import type { Decisions } from '../lib/queues/decisions.ts';
import type { ContentService, WrittenDocument } from './api.ts';
import type { CollectionState } from './collection-state.ts';
import type { UpdateInput } from './commands.ts';
import { updateDocument } from './decide.ts';
import type { DocumentEvent, StoredDocument } from './document.ts';
import type { PendingState } from './pending.ts';
import type { Stamp } from './stamp.ts';

export type DueStep = { what: 'published' | 'unpublished'; change: UpdateInput };

export function createApplyDue(parts: {
  decide: Decisions['decide'];
  pending: Pick<PendingState, 'findById'>;
  stateOf(collection: string): CollectionState;
  stampFor(actor: Actor): Stamp;
  commit(event: DocumentEvent): Promise<WrittenDocument>;
}): Pick<ContentService, 'applyDue'> {
  const { decide, pending, stateOf, stampFor, commit } = parts;
  return {
    applyDue: (collection, id, actor, onWarnings) =>
      decide(() => {
        const found = pending.findById(collection, id);
        const stamp = stampFor(actor);
        const due = found && dueStep(found.doc, stamp.now);
        if (!due) return undefined;
        return commit(updateDocument(stateOf(collection), found.doc, due.change, stamp)).then(({ warnings }) => {
          if (warnings) onWarnings?.(warnings);
          return due.what;
        });
      }),
  };
}

/** Pure. Returns undefined if nothing is due, or no longer due. */
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
