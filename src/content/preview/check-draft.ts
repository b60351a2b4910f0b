// Whether a draft could have these fields: the decision of an update, without its commit.
import type { Actor } from '../../access/principal.ts';
import type { ContentService, DocumentRef } from '../api.ts';
import type { CollectionState } from '../collection-state.ts';
import { updateDocument } from '../decide.ts';
import type { StoredDocument } from '../document.ts';
import type { Stamp } from '../stamp.ts';

export function createDraftCheck(parts: {
  getPending(collection: string, ref: DocumentRef): { doc: StoredDocument };
  stateOf(collection: string): CollectionState;
  stampFor(actor: Actor): Stamp;
}): Pick<ContentService, 'checkDraft'> {
  return {
    checkDraft(collection, ref, data, actor) {
      const { doc } = parts.getPending(collection, ref);
      updateDocument(parts.stateOf(collection), { ...doc, status: 'draft' }, { data }, parts.stampFor(actor));
    },
  };
}
