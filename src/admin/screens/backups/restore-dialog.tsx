// The question before a restore: exactly what it changes, and how one comes back.
import { useState } from 'preact/hooks';
import { useFresh } from '../../shell/use-fresh.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type Backup, type RestoreChanges, toChangeTexts, urlOf } from './backup.ts';

export interface RestoreDialogProps {
  backup: Backup;
  onRestore(includeData: boolean): void;
  onClose(): void;
}

export function RestoreDialog({ backup, onRestore, onClose }: RestoreDialogProps) {
  const { state, refresh } = useFresh<RestoreChanges>(urlOf(backup, '/changes'));
  const [includeData, setIncludeData] = useState(false);
  return (
    <AlertDialog
      title={t('backups.restoreVerb')}
      verb={t('backups.restoreVerb')}
      cancel={t('app.cancel')}
      onConfirm={() => onRestore(includeData)}
      onClose={onClose}
    >
      <p>{t('backups.restoreText', { when: toExact(backup.createdAt) })}</p>
      <Loaded state={state} onRetry={refresh}>
        {(changes) => {
          const texts = toChangeTexts(changes);
          return texts.length === 0 ? (
            <p>{t('backups.noChanges')}</p>
          ) : (
            <ul class="notes consequences">
              {texts.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <label class="check-line">
        <input
          type="checkbox"
          checked={includeData}
          onChange={({ currentTarget }) => setIncludeData(currentTarget.checked)}
        />
        {t('backups.includeData')}
      </label>
      <p class="help">{t('backups.includeDataHelp')}</p>
      <p>{t('backups.wayBack')}</p>
    </AlertDialog>
  );
}
