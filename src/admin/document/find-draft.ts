// Which draft of the device an address of the editor is about.
import type { DraftStore } from './draft-store.ts';
import { draftTokenOf, isSameBeginning, toNewPlace } from './kept-draft.ts';

export interface FindDraftParts {
  drafts: Pick<DraftStore, 'list' | 'claim' | 'lastClaimed'>;
  /** Keys of the collection's drafts begin so. */
  prefix: string;
  makeKey(): string;
}

/**
 * The place of a new document: the draft that its address names, or else unsaved work that began so and that no other
 * tab has open, or else a fresh one.
 */
export async function chooseNewPlace(query: URLSearchParams, parts: FindDraftParts): Promise<string> {
  const { drafts, prefix, makeKey } = parts;
  const named = draftTokenOf(query);
  const fresh = toNewPlace(query, named ?? makeKey());
  if (named === undefined) {
    const own = drafts.lastClaimed();
    const found = (await drafts.list(prefix)).filter(({ draft }) => isSameBeginning(draft, query));
    found.sort((a, b) => Number(b.key === own) - Number(a.key === own));
    for (const { key, draft } of found) if (await drafts.claim(key)) return draft.place;
  }
  await drafts.claim(`${prefix}${fresh}`);
  return fresh;
}

/** The id of a document with unsaved text, by its id or the last address that this device knows. */
export async function findDraftId(
  slugOrId: string,
  { drafts, prefix }: Omit<FindDraftParts, 'makeKey'>,
): Promise<string | undefined> {
  const found = (await drafts.list(prefix)).find(
    ({ key, draft }) => draft.etag !== undefined && (key === `${prefix}${slugOrId}` || draft.slug === slugOrId),
  );
  return found?.key.slice(prefix.length);
}
