// What somebody without content:write may do (decisions.md, section 6): create, change and delete documents that are
// not public and do not become so by it. Pure. Asked of the document as the last accepted write left it, first of the
// command, so that 403 comes before 400, and then of the whole change.
import type { Actor } from '../../access/principal.ts';
import { forbidden } from '../../lib/errors.ts';
import type { DocumentEvent, Status, StoredDocument } from '../document.ts';

interface Side {
  status?: Status;
  publishAt?: string | null;
}

/** A scheduled document too: it becomes public without anybody looking at it again. */
function countsAsPublic({ status, publishAt }: Side): boolean {
  return status === 'published' || (publishAt !== undefined && publishAt !== null);
}

/** @throws ServiceError 403 if one of them counts as public, and the actor may change drafts only. */
export function refusePublic(actor: Actor, ...sides: (Side | undefined)[]): void {
  if (!actor.draftsOnly) return;
  if (sides.some((side) => side !== undefined && countsAsPublic(side))) {
    throw forbidden('the permission content:write is needed for what is published or scheduled, and to publish');
  }
}

/**
 * The same of all documents that a change touches. The first translation of a public document may give it the group
 * that the server makes: nothing else of the document changes. `givenGroup` is the group that the command names.
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

/** What goes along with another document's change is its group and the slug of its source (translations.ts). */
function gainsGroupOnly({ before, after }: { before: StoredDocument; after: StoredDocument }): boolean {
  return before.translationGroup === undefined && before.translationOf === after.translationOf;
}
