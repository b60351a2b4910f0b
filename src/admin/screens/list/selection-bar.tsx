// What can be done with the selected documents, and how far it has come.
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { useToolbar } from '../../ui/use-toolbar.ts';
import type { BulkAction } from './bulk-actions.ts';
import type { BulkJob } from './use-bulk.ts';

export interface SelectionBarProps {
  count: number;
  total: number;
  isEverything: boolean;
  job: BulkJob | undefined;
  mayWrite: boolean;
  mayPublish: boolean;
  hasTags: boolean;
  onAction(kind: Exclude<BulkAction['kind'], 'tag'>): void;
  onAddTags(): void;
  onExport(): void;
  onSelectAll(): void;
  onClear(): void;
}

export function SelectionBar(props: SelectionBarProps) {
  const { count, total, isEverything, job, mayWrite, mayPublish, hasTags, onAction } = props;
  const { onAddTags, onExport, onSelectAll, onClear } = props;
  const isRunning = job !== undefined;
  const act = (kind: Parameters<typeof onAction>[0]) => (
    <button type="button" disabled={isRunning} onClick={() => onAction(kind)}>
      {t(`bulk.${kind}`)}
    </button>
  );
  return (
    <div class="selection-bar" role="toolbar" aria-label={t('list.selection')} {...useToolbar()}>
      <span class="selection-count">{t('list.selected', { count })}</span>
      {!isEverything && count < total && (
        <button type="button" class="plain" disabled={isRunning} onClick={onSelectAll}>
          {t('list.selectAll', { number: total })}
        </button>
      )}
      {mayPublish && act('publish')}
      {mayPublish && act('unpublish')}
      {mayWrite && act('archive')}
      {mayWrite && act('delete')}
      {mayWrite && hasTags && (
        <button type="button" disabled={isRunning} onClick={onAddTags}>
          {t('bulk.tag')}
        </button>
      )}
      <button type="button" disabled={isRunning} onClick={onExport}>
        {t('bulk.export')}
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
        <button type="button" class="plain selection-clear" aria-label={t('list.unselect')} onClick={onClear}>
          <Icon name="x" />
        </button>
      )}
    </div>
  );
}
