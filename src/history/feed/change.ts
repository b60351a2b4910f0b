// A change of the log as the feed reports it.
import { type Account, accountNow } from '../../lib/account.ts';
import type { NotShown } from '../../store/git/not-shown.ts';
import type { Oid } from '../../store/git/objects.ts';
import { isMediaEvent } from '../commit-record.ts';
import type { DocumentPlace } from '../log-index.ts';
import { createMediaOf, isMediaId, MEDIA } from '../media-changes.ts';
import type { PushedBy } from '../pushed-by.ts';
import { type ChangeStep, findVersion, type ReportedChange, toReportedChange } from '../reported-change.ts';
import type { FeedParts } from './feed-parts.ts';

export interface FeedChange extends Partial<PushedBy> {
  commit: Oid;
  changeId: string;
  event: string;
  collection: string;
  slug: string;
  /** For a media file its slug, `<folder>/<name>`. */
  id: string;
  at: string;
  actor: ReportedChange['actor'];
  /** The account that made the change, in its present state. */
  user: Account | null;
  fields: string[];
  /** For an external commit: the fields that it unlocked. */
  unlocked?: string[];
  /** What of external commits the change overwrote when it was put on top of them. */
  notShown?: readonly NotShown[];
  /** The commit of this change before it was replayed on an external commit. */
  replaces?: Oid;
}

/** For one reader: it caches the media changes of the last commit for that commit's other changes. */
export function createToChange(parts: FeedParts): (step: ChangeStep) => Promise<FeedChange> {
  const { replays, following } = parts;
  const mediaOf = createMediaOf(parts);

  /** A media file is identified by its place. */
  async function toMediaChange({ commit, before, id, isGone }: ChangeStep): Promise<FeedChange> {
    const { date, own } = following.record(commit);
    const media = (await mediaOf.of(commit, before)).get(id);
    const slug = media?.slug ?? '';
    const named =
      own && !isMediaEvent(own.event) ? own.event : (media?.event ?? (isGone ? 'media.deleted' : 'media.uploaded'));
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
    // A replayed document may be at another place than its commit's subject says.
    const actual = replaces === undefined ? undefined : await findPlace(step);
    const { collection = '', slug = '' } = actual ?? place ?? {};
    const user = accountNow(parts.findAccount, userId);
    const change = { commit, changeId, event, collection, slug, id: step.id, at, actor, user, fields, ...more };
    return replaces ? { ...change, replaces } : change;
  };

  async function findPlace({ commit, previous, id, isGone }: ChangeStep): Promise<DocumentPlace | undefined> {
    const at = isGone ? previous : commit;
    return at === undefined ? undefined : (await findVersion(following, at, id))?.doc;
  }
}
