// The document that one has just made, if the search and the filters of the list hide it.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, OfflineError } from '../../api/client.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import type { RecentChange } from '../dashboard/event-text.ts';
import { isFiltered, type ListState, toFilter } from './list-query.ts';

/** Older ones are no surprise. */
const NEW_MS = 10 * 60_000;

export interface HiddenNewProps {
  collection: string;
  state: ListState;
  onClear(): void;
}

export function HiddenNew({ collection, state, onClear }: HiddenNewProps) {
  const { request, session, now } = useAdmin();
  const [hidden, setHidden] = useState<RecentChange>();
  const [turn, setTurn] = useState(0);
  const filter = isFiltered(state) || state.status !== 'all' ? toFilter(state).toString() : undefined;
  const profile = session.state.value;
  const own = profile.kind === 'signed-in' ? profile.profile.user.id : '';
  useLive(['change', 'hello'], () => setTurn((last) => last + 1));

  /** Changes come newest first. */
  function findMade(changes: readonly RecentChange[]): RecentChange | undefined {
    const since = now().getTime() - NEW_MS;
    const made = changes.find(
      (one) => one.event === 'document.created' && one.collection === collection && one.author?.id === own,
    );
    const isGone = changes.some(({ event, id }) => event === 'document.deleted' && id === made?.id);
    return made && !isGone && Date.parse(made.at) > since ? made : undefined;
  }

  useEffect(() => {
    if (filter === undefined) return setHidden(undefined);
    const stopping = new AbortController();
    const { signal } = stopping;
    async function find(): Promise<RecentChange | undefined> {
      const url = '/api/cms/changes?order=desc&limit=20';
      const { changes } = (await request<{ changes: RecentChange[] }>('GET', url, { signal })).data;
      const made = findMade(changes);
      if (!made) return undefined;
      const one = `/api/cms/${encodeURIComponent(collection)}?${filter}&filter[id]=${made.id}&limit=1&fields=_`;
      return (await request<{ total: number }>('GET', one, { signal })).data.total === 0 ? made : undefined;
    }
    find().then(setHidden, (error) => {
      // The list itself says what is wrong.
      if (!(signal.aborted || error instanceof ApiError || error instanceof OfflineError)) throw error;
    });
    return () => stopping.abort();
  }, [filter, collection, own, turn]);

  if (!hidden) return null;
  return (
    <p class="note" role="status">
      <a href={toDocumentPath(collection, hidden.slug)}>{hidden.title || hidden.slug}</a> {t('list.hidden')}{' '}
      <button type="button" onClick={onClear}>
        {t('list.clear')}
      </button>
    </p>
  );
}
