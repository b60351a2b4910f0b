// What an actor without content:write may do (decisions.md, section 6): create, change and delete documents that are
// not public and that the change does not make public. Pure. Checked on the document as the last accepted write left
// it: first with the command, so that 403 comes before 400, and then with the whole change.
import type { Actor } from '../../access/principal.ts';
import { forbidden } from '../../lib/errors.ts';
import type { DocumentEvent, Status, StoredDocument } from '../document.ts';

interface Side {
  status?: Status;
  publishAt?: string | null;
}

/** Scheduled documents count too: they become public without another look. */
function countsAsPublic({ status, publishAt }: Side): boolean {
  return status === 'published' || (publishAt !== undefined && publishAt !== null);
}

/** @throws ServiceError 403 if one of them counts as public, and the actor may change drafts only. */
export function refusePublic(actor: Actor, ...sides: (Side | undefined)[]): void {
  if (!actor.draftsOnly) return;
  if (sides.some((side) => side !== undefined && countsAsPublic(side))) {
    throw forbidden('published and scheduled documents, and publishing, need the permission content:write');
  }
}

/**
 * The same for all documents that a change touches. The first translation of a public document may give that document
 * a group that the server makes, since nothing else in it changes. `givenGroup` is the group that the command names.
 */
export function refusePublicChange(
  { actor, before, after, also = [] }: DocumentEvent,
  givenGroup?: string | undefined,
): void {
  if (!actor.draftsOnly) return;
  refusePublic(actor, before, after);
  const group = after?.translationGroup;
  const isNewGroup = group !== givenGroup && group !== before?.translationGroup;
  for (const other of also) {
    if (!isNewGroup || !gainsGroupOnly(other)) refusePublic(actor, other.before, other.after);
  }
}

/** A change of another document can only change this one's group and the slug of its source (translations.ts). */
function gainsGroupOnly({ before, after }: { before: StoredDocument; after: StoredDocument }): boolean {
  return before.translationGroup === undefined && before.translationOf === after.translationOf;
}
