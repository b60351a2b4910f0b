import { useId } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { toSize } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { type Backup, kindOf, urlOf } from './backup.ts';

export interface BackupTableProps {
  backups: readonly Backup[];
  mayWrite: boolean;
  /** Nothing else begins meanwhile. */
  isBusy: boolean;
  onRestore(backup: Backup): void;
  onDelete(backup: Backup): void;
}

export function BackupTable(props: BackupTableProps) {
  const columns = ['when', 'content', 'by', 'commit'] as const;
  return (
    <table class="records backups" aria-label={t('backups.title')}>
      <TableHead
        columns={columns.map((column) => t(`backups.${column}`))}
        actions={props.mayWrite ? t('backups.actions') : undefined}
      />
      <tbody>
        {props.backups.map((backup) => (
          <BackupRow key={backup.id} {...props} backup={backup} />
        ))}
      </tbody>
    </table>
  );
}

function BackupRow({ backup, mayWrite, isBusy, onRestore, onDelete }: BackupTableProps & { backup: Backup }) {
  const { now } = useAdmin();
  const id = useId();
  const { createdAt, commit, createdBy, status } = backup;
  const isComplete = status === 'complete';
  return (
    <tr>
      <th scope="row" id={id}>
        <time datetime={createdAt} title={toRelative(createdAt, now().getTime())}>
          {toExact(createdAt)}
        </time>
        <span class="help">{kindOf(backup)}</span>
      </th>
      <td>
        <Content backup={backup} />
      </td>
      <td>{createdBy ? <bdi>{createdBy.name}</bdi> : <span class="help">{t('backups.bySchedule')}</span>}</td>
      <td>
        {commit && (
          <code dir="ltr" title={commit}>
            {commit.slice(0, 10)}
          </code>
        )}
      </td>
      {mayWrite && (
        <td class="record-actions">
          <div>
            {isComplete && (
              <button
                type="button"
                aria-describedby={id}
                aria-disabled={isBusy}
                onClick={() => !isBusy && onRestore(backup)}
              >
                {t('backups.restore')}
              </button>
            )}
            {isComplete && <Download backup={backup} describedBy={id} />}
            {status !== 'creating' && (
              <button
                type="button"
                class="plain"
                aria-label={t('backups.delete')}
                title={t('backups.delete')}
                aria-describedby={id}
                aria-disabled={isBusy}
                onClick={() => !isBusy && onDelete(backup)}
              >
                <Icon name="trash" />
              </button>
            )}
          </div>
        </td>
      )}
    </tr>
  );
}

function Download({ backup, describedBy }: { backup: Backup; describedBy: string }) {
  const { site } = useAdmin();
  return (
    <a
      class="button plain"
      href={withSite(urlOf(backup, '/archive'), site)}
      download
      aria-label={t('backups.download')}
      title={t('backups.download')}
      aria-describedby={describedBy}
    >
      <Icon name="download" />
    </a>
  );
}

/** What is in it, or what became of it. */
function Content({ backup }: { backup: Backup }) {
  const { status, error, documents, mediaFiles, sizeBytes, remote } = backup;
  if (status === 'creating') return <span class="help">{t('backups.creating')}</span>;
  if (status === 'failed') {
    return (
      <span class="error">
        {t('backups.failed')}
        {error && <bdi>: {error}</bdi>}
      </span>
    );
  }
  return (
    <>
      {t('backups.documents', { count: documents })}
      <span class="help">
        {t('backups.media', { count: mediaFiles })} · {t('backups.data', { size: toSize(sizeBytes) })}
      </span>
      {remote && (
        <span class={remote.status === 'failed' ? 'error' : 'help'}>
          {t(`backups.copy.${remote.status}`, { reason: remote.error ?? '' })}
        </span>
      )}
    </>
  );
}
