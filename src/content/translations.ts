// Translations name their source by slug and share a group with it (decisions.md, section 4). This works out what a
// write to one document changes in the others, in the same commit. Pure.
import type { Problem } from '../lib/errors.ts';
import type { CollectionState } from './collection-state.ts';
import type { UpdateInput } from './commands.ts';
import type { StoredDocument } from './document.ts';
import { laterThan, type Stamp } from './stamp.ts';
import { inOrder } from './stored.ts';

/** `own` is the slug of the document itself. */
export function translationProblems(
  state: CollectionState,
  of: string | undefined,
  own: string | undefined,
): Problem[] {
  if (of === undefined) return [];
  if (of === own) return [{ path: 'translationOf', message: 'must not be the document itself' }];
  if (!state.findBySlug(of)) return [{ path: 'translationOf', message: `no document "${of}" in ${state.schema.name}` }];
  return [];
}

/** Gives `draft` its group, and returns the other documents that change with it; undefined if none does. */
export function linkTranslations(
  state: CollectionState,
  before: StoredDocument | undefined,
  draft: StoredDocument,
  input: UpdateInput,
  stamp: Stamp,
): { before: StoredDocument; after: StoredDocument }[] | undefined {
  const changes = new Map<string, { doc: StoredDocument; change: Partial<StoredDocument> }>();
  const change = (doc: StoredDocument, part: Partial<StoredDocument>): void => {
    changes.set(doc.id, { doc, change: { ...changes.get(doc.id)?.change, ...part } });
  };

  const source = input.translationOf === undefined ? undefined : state.findBySlug(input.translationOf);
  if (source) {
    // A translation that moves to this source leaves its old group; a source brings its group along.
    const own = before?.translationOf ? undefined : before?.translationGroup;
    draft.translationGroup = source.translationGroup ?? input.translationGroup ?? own ?? stamp.newGroup();
    if (!source.translationGroup) change(source, { translationGroup: draft.translationGroup });
  }
  if (before && before.slug !== draft.slug) {
    for (const doc of state.translationsOf(before.slug)) {
      if (doc.id !== before.id) change(doc, { translationOf: draft.slug });
    }
  }
  if (changes.size === 0) return undefined;
  return [...changes.values()].map(({ doc, change: part }) => ({
    before: doc,
    after: inOrder({ ...doc, ...part, updatedAt: laterThan(doc.updatedAt, stamp.now) }, state.schema),
  }));
}
