// The backups of the site: making one, carrying one away, and going back to one.
import '../../text/en-operations.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useAct } from '../../shell/use-act.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { useLive } from '../../shell/use-live.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Working } from '../../ui/working.tsx';
import { BACKUPS_URL, type Backup, type BackupList, isUnderWay, type Restored, urlOf } from './backup.ts';
import { BackupTable } from './backup-table.tsx';
import { Plan } from './plan.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

/** How often work under way is looked at. */
const LOOK_MS = 2000;

export default function Backups() {
  const { session } = useAdmin();
  if (!session.may('sites:read')) return <NoAccess right={t('right.sites:read')} />;
  return <BackupsScreen />;
}

type Work = { kind: 'backup'; backup?: undefined } | { kind: 'restore' | 'delete'; backup: Backup };
type Question = { kind: 'restore' | 'delete'; backup: Backup };

function BackupsScreen() {
  const { request, messages, resources, session } = useAdmin();
  const act = useAct();
  const { state, refresh } = useFresh<BackupList>(BACKUPS_URL);
  const [work, setWork] = useState<Work>();
  const [question, setQuestion] = useState<Question>();
  const [warnings, setWarnings] = useState<Restored['warnings']>([]);
  const list = state.kind === 'ready' ? state.data : undefined;
  const mayWrite = session.may('sites:write');
  useLive(['job', 'hello', 'change'], refresh);
  useOtherRestores(list, work !== undefined);
  const isLooking = work !== undefined || (list !== undefined && isUnderWay(list));
  useEffect(() => {
    if (!isLooking) return undefined;
    const timer = setInterval(refresh, LOOK_MS);
    return () => clearInterval(timer);
  }, [isLooking]);

  async function run(next: Work, begin: () => Promise<void>): Promise<void> {
    if (work) return;
    await act(next.backup ? `${next.kind} ${next.backup.id}` : next.kind, async () => {
      setWork(next);
      try {
        await begin();
      } finally {
        setWork(undefined);
        refresh();
      }
    });
  }

  const backUp = (): Promise<void> =>
    run({ kind: 'backup' }, async () => {
      const { data } = await request<Backup>('POST', BACKUPS_URL, { body: { trigger: 'manual' } });
      messages.notify(t('backups.made', { count: data.documents }));
    });

  const restore = (backup: Backup, includeData: boolean, isUndo = false): Promise<void> =>
    run({ kind: 'restore', backup }, async () => {
      const { data } = await request<Restored>('POST', urlOf(backup, '/restore'), { body: { includeData } });
      setWarnings(data.warnings);
      resources.refresh('/api/');
      const when = toExact(backup.createdAt);
      if (data.commit === null && data.dataFiles === null) messages.notify(t('backups.same', { when }));
      else if (isUndo) messages.notify(t('backups.undone'));
      else messages.notify(t('backups.restored', { when }), () => void restore(data.before, includeData, true));
    });

  const remove = (backup: Backup): Promise<void> =>
    run({ kind: 'delete', backup }, async () => {
      await request('DELETE', urlOf(backup));
      messages.notify(t('backups.deleted', { when: toExact(backup.createdAt) }));
    });

  const restoring = work?.kind === 'restore' || (list?.restoring ?? null) !== null;
  const isMaking = work?.kind === 'backup' || list?.snapshots.some(({ status }) => status === 'creating') === true;
  return (
    <Screen heading={t('backups.title')}>
      <div class="operations">
        <Plan />
        {mayWrite && (
          <div class="buttons">
            <button
              type="button"
              class="primary"
              data-once
              aria-disabled={work !== undefined || restoring}
              onClick={() => void (!restoring && backUp())}
            >
              <Icon name="archive" />
              {t('backups.make')}
            </button>
            {isMaking && !restoring && question === undefined && <Working text={t('backups.making')} />}
          </div>
        )}
        {restoring && (
          <div class="notice">
            <Working text={t('backups.restoring')} />
            <p class="help">{t('backups.restoringText')}</p>
          </div>
        )}
        <NotShown warnings={warnings} onClose={() => setWarnings([])} />
        <Loaded state={state} onRetry={refresh}>
          {({ snapshots }) => (
            <>
              <BackupTable
                backups={snapshots}
                mayWrite={mayWrite}
                isBusy={work !== undefined || restoring}
                onRestore={(backup) => setQuestion({ kind: 'restore', backup })}
                onDelete={(backup) => setQuestion({ kind: 'delete', backup })}
              />
              {snapshots.length === 0 && (
                <div class="nothing">
                  <Icon name="archive" />
                  <p>{t('backups.empty')}</p>
                </div>
              )}
            </>
          )}
        </Loaded>
      </div>
      {question?.kind === 'restore' && (
        <RestoreDialog
          backup={question.backup}
          onClose={() => setQuestion(undefined)}
          onRestore={(includeData) => {
            setQuestion(undefined);
            void restore(question.backup, includeData);
          }}
        />
      )}
      {question?.kind === 'delete' && (
        <AlertDialog
          title={t('backups.delete')}
          verb={t('backups.delete')}
          cancel={t('app.cancel')}
          onClose={() => setQuestion(undefined)}
          onConfirm={() => {
            setQuestion(undefined);
            void remove(question.backup);
          }}
        >
          <p>{t('backups.deleteText', { when: toExact(question.backup.createdAt) })}</p>
        </AlertDialog>
      )}
    </Screen>
  );
}

/** Files of the restored state that the site does not show. */
function NotShown({ warnings, onClose }: { warnings: Restored['warnings']; onClose(): void }) {
  if (warnings.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <p>{t('backups.notShown', { count: warnings.length })}</p>
      <ul class="notes">
        {warnings.map(({ path, problem }) => (
          <li key={path}>
            <code dir="ltr">{path}</code> <bdi>{problem}</bdi>
          </li>
        ))}
      </ul>
      <button type="button" onClick={onClose}>
        {t('app.dismiss')}
      </button>
    </div>
  );
}

/** Says how a restore ended that another person began, or this one before a reload. */
function useOtherRestores(list: BackupList | undefined, isOwn: boolean): void {
  const { messages } = useAdmin();
  const followed = useRef<string | null>(null);
  const restoring = list?.restoring ?? null;
  useEffect(() => {
    if (restoring !== null) followed.current = isOwn ? null : restoring;
    const last = list?.lastRestore;
    if (restoring !== null || !last || last.id !== followed.current) return;
    followed.current = null;
    const backup = list.snapshots.find(({ id }) => id === last.id);
    if (last.error !== null) messages.fail(toSentence(new Error(last.error)));
    else if (backup) messages.notify(t('backups.restored', { when: toExact(backup.createdAt) }));
  }, [restoring]);
}
