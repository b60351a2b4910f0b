// When backups are made by themselves, and how many are kept; for those who may see settings.
import { useMemo } from 'preact/hooks';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';

interface PlanSettings {
  backupSchedule: string;
  backupRetention: number;
  timezone: string;
  backupTarget: { bucket: string } | null;
}

const AHEAD_MS = 32 * 86_400_000;

export function Plan() {
  const { session } = useAdmin();
  return session.may('org:settings:read') ? <KnownPlan /> : <p class="lead">{t('backups.text')}</p>;
}

function KnownPlan() {
  const { state } = useFresh<PlanSettings>('/api/admin/site-config');
  const settings = state.kind === 'ready' ? state.data : undefined;
  return (
    <div class="lead">
      <p>{t('backups.text')}</p>
      {settings && (
        <p class="help">
          {settings.backupSchedule === '' ? t('backups.noSchedule') : <Schedule {...settings} />}{' '}
          {t('backups.kept', { count: settings.backupRetention })}{' '}
          {settings.backupTarget && t('backups.copied', { bucket: settings.backupTarget.bucket })}{' '}
          <a href="/admin/settings/backups">{t('backups.settings')}</a>
        </p>
      )}
    </div>
  );
}

function Schedule({ backupSchedule, timezone }: PlanSettings) {
  const { startedAt, session } = useAdmin();
  const url = useMemo(() => {
    const to = new Date(startedAt.getTime() + AHEAD_MS).toISOString();
    return `/api/cms/scheduled?from=${startedAt.toISOString()}&to=${to}`;
  }, []);
  const { state } = useResource<{ events: readonly { at: string; kind: string }[] }>(
    session.may('content:read') ? url : undefined,
  );
  const next = state.kind === 'ready' ? state.data.events.find(({ kind }) => kind === 'backup') : undefined;
  return (
    <>
      {t('backups.schedule')} <code dir="ltr">{backupSchedule}</code> ({timezone}).{' '}
      {next && t('backups.next', { when: toExact(next.at) })}
    </>
  );
}
