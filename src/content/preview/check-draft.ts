// Whether a draft could have these fields: the decision of an update, without its commit.
import type { Actor } from '../../access/principal.ts';
import type { ContentService, DocumentRef } from '../api.ts';
import { EARLIER, type ReadVersions, withEarlierBlocks } from '../checks/earlier-blocks.ts';
import type { CollectionState } from '../collection-state.ts';
import { updateDocument } from '../decide.ts';
import type { StoredDocument } from '../document.ts';
import { AT_ONCE } from '../refusals.ts';
import type { Stamp } from '../stamp.ts';

export function createDraftCheck(parts: {
  getPending(collection: string, ref: DocumentRef): { doc: StoredDocument };
  stateOf(collection: string): CollectionState;
  stampFor(actor: Actor): Stamp;
  readVersions: ReadVersions;
}): Pick<ContentService, 'checkDraft'> {
  return {
    async checkDraft(collection, ref, data, actor) {
      await withEarlierBlocks(
        async (earlier) => {
          const before: StoredDocument = { ...parts.getPending(collection, ref).doc, status: 'draft' };
          updateDocument(parts.stateOf(collection), before, { data }, parts.stampFor(actor), AT_ONCE, earlier);
        },
        () => parts.readVersions(parts.getPending(collection, ref).doc.id, EARLIER),
      );
    },
  };
}
