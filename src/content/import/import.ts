// Imports one document: the part of the content service that writes as actor `import`, and only what changes.
import type { Actor } from '../../access/principal.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { ContentService } from '../api.ts';
import type { CollectionState } from '../collection-state.ts';
import type { ImportInput, UpdateInput } from '../commands.ts';
import { importDocument } from '../decide.ts';
import type { DocumentEvent } from '../document.ts';
import type { PendingState } from '../pending.ts';
import type { Stamp } from '../stamp.ts';

export interface ImportParts {
  pending: Pick<PendingState, 'findBySlug' | 'hasId'>;
  decideOn<T>(collection: string, asksGroups: boolean, run: () => T | Promise<T>): Promise<T>;
  stateOf(collection: string): CollectionState;
  stampFor(actor: Actor): Stamp;
  commit(event: DocumentEvent): Promise<unknown>;
}

export function createImport({
  pending,
  decideOn,
  stateOf,
  stampFor,
  commit,
}: ImportParts): Pick<ContentService, 'importDocument'> {
  return {
    importDocument: (collection, input, actor, options) =>
      decideOn(collection, changesGroup(input), () => {
        const state = stateOf(collection);
        const before = pending.findBySlug(collection, input.slug)?.doc;
        if (!before && input.id && pending.hasId(input.id)) {
          throw new ServiceError('conflict', `id "${input.id}" belongs to another document`);
        }
        if (before?.locale && input.locale && before.locale !== input.locale) {
          throw new ServiceError('conflict', `slug "${input.slug}" is taken by a document in ${before.locale}`);
        }
        const decision = importDocument(state, before, input, stampFor(actor));
        if (!decision) return 'unchanged';
        const outcome = before ? 'updated' : 'created';
        return options?.dryRun ? outcome : commit(decision).then(() => outcome);
      }),
  };
}

/** Whether a write asks for groups of translations. */
export function changesGroup({ slug, locale, translationOf, translationGroup }: UpdateInput | ImportInput): boolean {
  // A rename asks for translations too.
  return slug !== undefined || locale !== undefined || translationOf !== undefined || translationGroup !== undefined;
}
