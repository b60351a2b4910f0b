// The newest activity, more of it as one asks, and what happens meanwhile on top.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { useLive } from '../../shell/use-live.ts';
import { type ActivityQuery, toAuditUrl, toChangesUrl } from './activity-query.ts';
import { type ActivityChange, type ActivityItem, type AuditLine, fromAudit, fromChange } from './entry.ts';
import { type MergedList, mergeSources, type ReadPage } from './merge-sources.ts';

export interface Activity {
  /** Undefined until the first ones are there. */
  items: readonly ActivityItem[] | undefined;
  isDone: boolean;
  isBusy: boolean;
  error: unknown;
  more(): void;
  reload(): void;
}

const PAGE = 50;

/** `query` is the state of the address; another one begins anew. */
export function useActivity(query: ActivityQuery, mayReadAudit: boolean): Activity {
  const { request } = useAdmin();
  const [shown, setShown] = useState<{ items: readonly ActivityItem[]; isDone: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const turn = useRef(0);
  const list = useRef<MergedList<ActivityItem> | undefined>(undefined);
  const id = JSON.stringify(query);

  function openList(limit = PAGE): MergedList<ActivityItem> {
    const changes = toChangesUrl(query, limit);
    const audit = mayReadAudit ? toAuditUrl(query, limit) : undefined;
    return mergeSources([...(changes ? [readChanges(changes)] : []), ...(audit ? [readAudit(audit, limit)] : [])]);
  }

  function readChanges(url: string): ReadPage<ActivityItem> {
    let before: string | undefined;
    return async () => {
      const { data, next } = await request<{ changes: ActivityChange[] }>(
        'GET',
        before ? `${url}&before=${before}` : url,
      );
      before = next?.get('before') ?? undefined;
      const fitting = data.changes.filter(({ collection }) => query.kind !== 'documents' || collection !== 'media');
      return { items: fitting.map(fromChange), isLast: before === undefined };
    };
  }

  function readAudit(url: string, limit: number): ReadPage<ActivityItem> {
    let offset = 0;
    return async () => {
      const { data } = await request<{ entries: AuditLine[] }>('GET', `${url}&offset=${offset}`);
      offset += limit;
      return { items: data.entries.map(fromAudit), isLast: data.entries.length < limit };
    };
  }

  async function run(work: (isMine: () => boolean) => Promise<void>): Promise<void> {
    const mine = ++turn.current;
    setBusy(true);
    try {
      await work(() => mine === turn.current);
      if (mine === turn.current) setError(undefined);
    } catch (failure) {
      if (mine === turn.current) setError(failure);
    } finally {
      if (mine === turn.current) setBusy(false);
    }
  }

  function begin(): void {
    const opened = openList();
    list.current = opened;
    setShown(undefined);
    setError(undefined);
    void run(async (isMine) => {
      const { items, isLast } = await opened.next(PAGE);
      if (isMine()) setShown({ items, isDone: isLast });
    });
  }

  function more(): void {
    const opened = list.current;
    if (!opened || isBusy) return;
    void run(async (isMine) => {
      const { items, isLast } = await opened.next(PAGE);
      if (isMine()) setShown((before) => ({ items: [...(before?.items ?? []), ...items], isDone: isLast }));
    });
  }

  /** What is new goes on top; the place in the list stays. */
  function look(): void {
    if (shown === undefined || isBusy) return;
    void run(async (isMine) => {
      const { items } = await openList().next(PAGE);
      if (!isMine()) return;
      setShown((before) => {
        const known = new Set(before?.items.map(({ key }) => key));
        const fresh = items.filter(({ key }) => !known.has(key));
        // More happened than a page has: what is between would be missing.
        if (before && fresh.length === items.length && before.items.length > 0) {
          setTimeout(begin);
          return before;
        }
        return { items: [...fresh, ...(before?.items ?? [])], isDone: before?.isDone ?? true };
      });
    });
  }

  useEffect(() => {
    begin();
    return () => void (turn.current += 1);
  }, [id, mayReadAudit]);
  useLive(['change', 'media', 'hello', 'deploy', 'job', 'submission'], look);

  return {
    ...{ items: shown?.items, isDone: shown?.isDone ?? false, isBusy, error, more },
    // A failed page is asked for again, and what is shown stays.
    reload: () => (shown === undefined ? begin() : more()),
  };
}
