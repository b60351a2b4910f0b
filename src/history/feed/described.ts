// A change of the log for people: also what the document was called, and who made the change.
import { titleOf } from '../../content/search-entry.ts';
import { isMediaId } from '../media-changes.ts';
import { type ChangeStep, findVersion } from '../reported-change.ts';
import { createToChange, type FeedChange } from './change.ts';
import type { FeedParts } from './feed-parts.ts';

export interface DescribedChange extends FeedChange {
  /** The document’s title after the change, or before its deletion. */
  title: string;
  /** `id` is null if no account is behind the change; then the name is the commit's. */
  author: { id: string | null; name: string };
}

export function createToDescribed(parts: FeedParts): (step: ChangeStep) => Promise<DescribedChange> {
  const { following, titleFieldOf } = parts;
  const toChange = createToChange(parts);

  async function findTitle({ commit, id, isGone, previous }: ChangeStep): Promise<string | undefined> {
    const at = isGone ? previous : commit;
    const doc = at === undefined || isMediaId(id) ? undefined : (await findVersion(following, at, id))?.doc;
    return doc && titleOf(doc.data, doc.slug, titleFieldOf(doc.collection));
  }

  return async (step) => {
    const change = await toChange(step);
    const title = (await findTitle(step)) ?? change.slug;
    const { author } = following.record(step.commit);
    const { user } = change;
    return { ...change, title, author: user ? { id: user.id, name: user.name } : { id: null, name: author.name } };
  };
}
