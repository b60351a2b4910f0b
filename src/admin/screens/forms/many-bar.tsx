// What can be done with the selected submissions, and how far it has come.
import { useState } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToolbar } from '../../ui/use-toolbar.ts';
import type { InboxTab } from './form-entry.ts';
import type { Many } from './use-many.ts';

export interface ManyBarProps {
  many: Many;
  tab: InboxTab;
  total: number;
}

const ACTIONS = [
  { status: 'archived', label: 'submission.archive' },
  { status: 'read', label: 'submission.read' },
  { status: 'new', label: 'submission.new' },
] as const;

export function ManyBar({ many, tab, total }: ManyBarProps) {
  const { job, selected } = many;
  const [isAsking, setAsking] = useState(false);
  const toolbar = useToolbar();
  const isBusy = job !== undefined;
  const count = selected.size;
  // One that is off keeps the focus, for what was refused to be tried again.
  const off = (act: () => void) => ({ 'aria-disabled': isBusy, onClick: () => !isBusy && act() });
  return (
    <div class="selection-bar" role="toolbar" aria-label={t('list.selection')} {...toolbar}>
      <span class="selection-count">{t('list.selected', { count })}</span>
      {count < total && (
        <button type="button" class="plain" {...off(() => void many.selectAll())}>
          {t('list.selectAll', { number: total })}
        </button>
      )}
      {ACTIONS.filter(({ status }) => status !== tab).map(({ status, label }) => (
        <button type="button" key={status} {...off(() => void many.run(status, t(label)))}>
          {t(label)}
        </button>
      ))}
      <button type="button" {...off(() => setAsking(true))}>
        {t('submission.delete')}
      </button>
      {job ? (
        <span class="selection-job">
          <progress aria-label={job.label} value={job.done} max={Math.max(1, job.total)} />
          <span class="help">{t('bulk.progress', { done: job.done, total: job.total })}</span>
          <button type="button" class="plain" onClick={job.stop}>
            {t('bulk.stop')}
          </button>
        </span>
      ) : (
        <button type="button" class="plain selection-clear" aria-label={t('list.unselect')} onClick={many.clear}>
          <Icon name="x" />
        </button>
      )}
      {isAsking && (
        <AlertDialog
          title={t('submission.delete')}
          verb={t('submission.delete')}
          cancel={t('app.cancel')}
          onConfirm={() => {
            setAsking(false);
            void many.run('deleted', t('submission.delete'));
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('inbox.deleteMany', { count })}</p>
        </AlertDialog>
      )}
    </div>
  );
}
