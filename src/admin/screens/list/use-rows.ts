// The rows of the screen's query. What another query found stays until the first answer to this one.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { type ListState, toPageUrl } from './list-query.ts';
import { createRowPages, type DocumentPage, type RowPages } from './row-pages.ts';

/** After a change others may follow, so the list is read at most so often. */
const REFRESH_MS = 600;

export interface Rows {
  pages: RowPages;
  /** The rows are those of the query before. */
  isOld: boolean;
}

export function useRows(collection: string, state: ListState, fields: readonly string[]): Rows {
  const { request, live } = useAdmin();
  const key = toPageUrl(collection, state, { offset: 0, limit: 1, fields });
  const asked = useMemo(
    () =>
      createRowPages(async (offset, limit, signal) => {
        const url = toPageUrl(collection, state, { offset, limit, fields });
        return (await request<DocumentPage>('GET', url, { signal })).data;
      }),
    [key],
  );
  const [shown, setShown] = useState(asked);

  useEffect(() => {
    // Listen first, then read: no change is missed in between.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        asked.refresh();
      }, REFRESH_MS);
    };
    const stop = live.listen(({ event, data }) => {
      const isAboutIt = event === 'change' && (data as { collection?: unknown }).collection === collection;
      if (isAboutIt || event === 'hello') later();
    });
    asked.want(0, 1);
    const seen = asked.version.subscribe((version) => {
      if (version > 0) setShown(asked);
    });
    const failed = asked.error.subscribe((error) => {
      if (error !== undefined) setShown(asked);
    });
    return () => {
      clearTimeout(timer);
      stop();
      seen();
      failed();
      asked.close();
    };
  }, [asked]);

  return { pages: shown, isOld: shown !== asked };
}
