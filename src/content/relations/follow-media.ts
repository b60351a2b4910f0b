// The documents that point to a media file, for the commit that moves it.
import type { ContentService } from '../api.ts';
import type { CollectionState, createStates } from '../collection-state.ts';
import type { CreateDocumentsPart } from '../commits/documents-part.ts';
import { alsoChanged } from '../commits/message.ts';
import type { PendingState } from '../pending.ts';
import type { References } from './references.ts';

export interface FollowMediaParts {
  references: Pick<References, 'prepare' | 'followMedia'>;
  pending: PendingState;
  stateOf(collection: string): CollectionState;
  stampFor: ReturnType<typeof createStates>['stampFor'];
  toPart: CreateDocumentsPart;
}

export function createFollowMedia(parts: FollowMediaParts): Pick<ContentService, 'prepareReferences' | 'followMedia'> {
  const { references, toPart } = parts;
  return {
    prepareReferences: references.prepare,
    followMedia(move, actor) {
      const changed = references.followMedia(move, parts.stampFor(actor), parts);
      return { trailers: changed.length > 0 ? [alsoChanged(changed)] : [], part: toPart(changed) };
    },
  };
}
