// A change of the log as programs are given it.
import { type Account, accountNow } from '../../lib/account.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { DocumentPlace } from '../log-index.ts';
import { createMediaOf, isMediaId, MEDIA, ownMedia } from '../media-changes.ts';
import type { PushedBy } from '../pushed-by.ts';
import { type ChangeStep, findVersion, type ReportedChange, toReportedChange } from '../reported-change.ts';
import type { FeedParts } from './feed-parts.ts';

export interface FeedChange extends Partial<PushedBy> {
  commit: Oid;
  changeId: string;
  event: string;
  collection: string;
  slug: string;
  /** Of a media file its slug, `<folder>/<name>`. */
  id: string;
  at: string;
  actor: ReportedChange['actor'];
  /** The account that made the change, as it is now. */
  user: Account | null;
  fields: string[];
  /** Of a commit that is not the service's: fields that it took the lock from. */
  unlocked?: string[];
  /** The commit that this change was before it was replayed on somebody else's. */
  replaces?: Oid;
}

/** For one reader: what it reads of a commit's media it keeps for that commit's other changes. */
export function createToChange(parts: FeedParts): (step: ChangeStep) => Promise<FeedChange> {
  const { replays, following } = parts;
  const mediaOf = createMediaOf(parts);

  /** A media file is known by its place. */
  async function toMediaChange({ commit, before, id, isGone }: ChangeStep): Promise<FeedChange> {
    const { date, own } = following.record(commit);
    const media = (await mediaOf.of(commit, before)).get(id);
    const slug = media?.slug ?? '';
    const named = own && !ownMedia(own) ? own.event : (media?.event ?? (isGone ? 'media.deleted' : 'media.uploaded'));
    const replaces = replays.replacedBy(commit);
    return {
      ...{ commit, changeId: own?.changeId ?? commit, event: named, collection: MEDIA, slug, id: slug, at: date },
      ...{ actor: own?.actor ?? 'user', user: accountNow(parts.findAccount, own?.userId), fields: own?.fields ?? [] },
      ...following.pushedBy(commit),
      ...(replaces ? { replaces } : {}),
    };
  }

  return async (step) => {
    if (isMediaId(step.id)) return toMediaChange(step);
    const {
      commit,
      changeId,
      event,
      actor,
      userId,
      fields,
      author: _,
      date: at,
      place,
      ...more
    } = await toReportedChange(following, step);
    const replaces = replays.replacedBy(commit);
    // What was replayed may have come to another place than its commit's subject says.
    const there = replaces === undefined ? undefined : await findPlace(step);
    const { collection = '', slug = '' } = there ?? place ?? {};
    const user = accountNow(parts.findAccount, userId);
    const change = { commit, changeId, event, collection, slug, id: step.id, at, actor, user, fields, ...more };
    return replaces ? { ...change, replaces } : change;
  };

  async function findPlace({ commit, previous, id, isGone }: ChangeStep): Promise<DocumentPlace | undefined> {
    const at = isGone ? previous : commit;
    return at === undefined ? undefined : (await findVersion(following, at, id))?.doc;
  }
}
