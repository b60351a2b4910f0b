// The rows of the screen's query. What another query found stays until the first answer to this one.
import { useMemo } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { type ListState, toPageUrl } from './list-query.ts';
import { createRowPages, type DocumentPage, type RowPages } from './row-pages.ts';
import { useFollowedPages } from './use-followed-pages.ts';

export interface Rows {
  pages: RowPages;
  /** The rows are those of the query before. */
  isOld: boolean;
}

export function useRows(collection: string, state: ListState, fields: readonly string[]): Rows {
  const { request } = useAdmin();
  const key = toPageUrl(collection, state, { offset: 0, limit: 1, fields });
  const asked = useMemo(
    () =>
      createRowPages(async (offset, limit, signal) => {
        const url = toPageUrl(collection, state, { offset, limit, fields });
        return (await request<DocumentPage>('GET', url, { signal })).data;
      }),
    [key],
  );
  const shown = useFollowedPages(
    asked,
    ({ event, data }) => event === 'change' && (data as { collection?: unknown }).collection === collection,
  );
  return { pages: shown, isOld: shown !== asked };
}
