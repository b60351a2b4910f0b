// The submissions of a tab, as one sees them: without those whose deletion waits for its message to go.
import { useMemo } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { createRowPages, type RowPages } from '../list/row-pages.ts';
import { useFollowedPages } from '../list/use-followed-pages.ts';
import { type FormSubmission, type InboxTab, toSubmissionsUrl } from './form-entry.ts';
import { toRealIndex, toSeenIndex } from './hidden-rows.ts';

export interface SubmissionNews {
  form: string;
  id: string;
  change: 'received' | 'changed' | 'removed';
  status: FormSubmission['status'];
}

export interface InboxRows {
  pages: RowPages<FormSubmission>;
  /** Undefined until the first answer. */
  total: number | undefined;
  /** The rows are those of the tab before. */
  isOld: boolean;
  at(index: number): FormSubmission | undefined;
  indexOf(id: string): number | undefined;
  want(first: number, end: number): void;
  /** One row, which is loaded if it is not there. */
  find(index: number): Promise<FormSubmission | undefined>;
}

const HELD = 'submission ';

/** What is held in the messages while a submission waits to be deleted. */
export function toHeldKey(form: string, id: string): string {
  return `${HELD}${form}/${id}`;
}

/** An empty `form` means all of them. */
export function useInboxRows(form: string, tab: InboxTab): InboxRows {
  const { request, messages } = useAdmin();
  const asked = useMemo(
    () =>
      createRowPages<FormSubmission>(async (offset, limit, signal) => {
        const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
        if (tab !== 'all') query.set('status', tab);
        const url = `${toSubmissionsUrl(form)}?${query}`;
        const { data } = await request<{ submissions: FormSubmission[]; total: number }>('GET', url, { signal });
        return { documents: data.submissions, total: data.total };
      }),
    [form, tab],
  );
  const pages = useFollowedPages(asked, ({ event, data }) => {
    const news = data as SubmissionNews;
    if (event !== 'submission' || (form !== '' && news.form !== form)) return false;
    const at = asked.indexOf(news.id);
    // What this page did itself is there already, and what one has just opened stays until the list is read again.
    return news.change !== 'changed' || at === undefined || asked.at(at)?.status !== news.status;
  });

  // Drawn again with each answer.
  pages.version.value;
  const hidden = [...messages.held.value]
    .filter((key) => key.startsWith(form === '' ? HELD : toHeldKey(form, '')))
    .flatMap((key) => pages.indexOf(key.slice(key.lastIndexOf('/') + 1)) ?? [])
    .sort((a, b) => a - b);
  const known = pages.total.value;
  const total = known === undefined ? undefined : known - hidden.length;
  return {
    ...{ pages, total, isOld: pages !== asked },
    at: (index) => (index < 0 ? undefined : pages.at(toRealIndex(index, hidden))),
    indexOf(id) {
      const real = pages.indexOf(id);
      return real === undefined || hidden.includes(real) ? undefined : toSeenIndex(real, hidden);
    },
    want: (first, end) => pages.want(first, end + hidden.length),
    async find(index) {
      if (total === undefined || index < 0 || index >= total) return undefined;
      const real = toRealIndex(index, hidden);
      return pages.at(real) ?? (await pages.range(real, real + 1))[0];
    },
  };
}
