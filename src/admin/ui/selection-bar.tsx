// What can be done with what is selected, for how many of it, and how far it has come.
import { t } from '../text/translate.ts';
import { Icon } from './icon.tsx';
import { useToolbar } from './use-toolbar.ts';

export interface SelectionAction {
  label: string;
  /** If it can be done to some of the selected only: to how many. */
  possible?: number | undefined;
  run(): void;
}

export interface SelectionJob {
  label: string;
  done: number;
  /** 0 while it is not known yet. */
  total: number;
  stop(): void;
}

export interface SelectionBarProps {
  count: number;
  /** All that could be selected; undefined while it is not known. */
  total: number | undefined;
  actions: readonly SelectionAction[];
  job: SelectionJob | undefined;
  onSelectAll(): void;
  onClear(): void;
}

export function SelectionBar({ count, total, actions, job, onSelectAll, onClear }: SelectionBarProps) {
  return (
    <div class="selection-bar" role="toolbar" aria-label={t('list.selection')} {...useToolbar()}>
      <span class="selection-count" aria-live="polite">
        {t('list.selected', { count })}
      </span>
      {total !== undefined && count < total && (
        <button type="button" class="plain" disabled={job !== undefined} onClick={onSelectAll}>
          {t('list.selectAll', { number: total })}
        </button>
      )}
      {actions.map((action) => (
        <Action key={action.label} {...action} count={count} isOff={job !== undefined} />
      ))}
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

function Action({ label, possible, run, count, isOff }: SelectionAction & { count: number; isOff: boolean }) {
  const part = possible === undefined || possible >= count ? undefined : { done: possible, total: count };
  return (
    <button
      type="button"
      aria-disabled={isOff}
      aria-description={part && t('bulk.possible', { number: part.done, total: part.total })}
      onClick={() => isOff || run()}
    >
      {label}
      {part && (
        <span class="selection-part" aria-hidden="true">
          {t('bulk.progress', part)}
        </span>
      )}
    </button>
  );
}
