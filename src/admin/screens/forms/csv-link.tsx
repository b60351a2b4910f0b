// The submissions as a table for spreadsheets. Read by the page and not by the browser, which says nothing of a refusal.
import { withSite } from '../../api/client.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useAct } from '../../shell/use-act.ts';
import { t } from '../../text/translate.ts';
import { downloadFile } from '../list/download.ts';
import { type InboxTab, toExportUrl } from './form-entry.ts';

/** Spreadsheets know its letters by it; what reads the answer takes it away. */
const BYTE_ORDER_MARK = '\uFEFF';

export function CsvLink({ form, tab }: { form: string; tab: InboxTab }) {
  const { request, site } = useAdmin();
  const act = useAct();
  const url = toExportUrl(form, tab);
  const name = `${form}.csv`;
  const download = (): Promise<void> =>
    act(url, async () => {
      const { data } = await request<string>('GET', url, { isText: true, headers: { Accept: 'text/csv' } });
      downloadFile(name, 'text/csv', [BYTE_ORDER_MARK, data]);
    });
  return (
    <a
      href={withSite(url, site)}
      download={name}
      onClick={(event) => {
        // In a new tab, or to be saved elsewhere.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void download();
      }}
    >
      {t('forms.csv')}
    </a>
  );
}
