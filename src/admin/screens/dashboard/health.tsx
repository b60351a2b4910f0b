// Whether everything is well, and what to do about what is not.
import { useEffect } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { type SiteStatus, STATUS_URL } from '../../api/status.ts';
import { toSize } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { Facts } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type HealthNote, listHealthNotes } from './health-notes.ts';

const MOST_NOTES = 5;
const LOOK_MS = 60_000;

export function SiteHealth() {
  const { state, refresh } = useFresh<SiteStatus>(STATUS_URL);
  useLive(['change', 'media', 'deploy', 'job'], refresh);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Loaded state={state} onRetry={refresh}>
      {(status) => <KnownHealth status={status} />}
    </Loaded>
  );
}

function KnownHealth({ status }: { status: SiteStatus }) {
  const { session } = useAdmin();
  // Others find nothing about the repository on the screen that the links lead to.
  const mayFollow = session.may('sites:read');
  const notes = listHealthNotes(status, toSize);
  return (
    <>
      {notes.length === 0 ? (
        <p class={status.ready ? 'well' : 'warned'}>
          <Icon name={status.ready ? 'check' : 'warning'} />
          {t(status.ready ? 'dashboard.well' : 'health.notReady')}
        </p>
      ) : (
        <>
          <p class="warned">
            <Icon name="warning" /> {t('dashboard.warnings', { count: notes.length })}
          </p>
          <ul class="notes health-notes">
            {notes.slice(0, MOST_NOTES).map((note) => (
              <Note key={note.text} {...note} link={mayFollow ? note.link : undefined} />
            ))}
          </ul>
          {notes.length > MOST_NOTES && <p class="help">{t('dashboard.more', { count: notes.length - MOST_NOTES })}</p>}
        </>
      )}
      <Facts facts={listFacts(status)} />
      {mayFollow && (
        <p class="help links">
          <a href="/admin/activity">{t('activity.title')}</a> <a href="/admin/backups">{t('backups.title')}</a>
        </p>
      )}
    </>
  );
}

function Note({ tone, text, advice, link }: HealthNote) {
  return (
    <li class={tone === 'bad' ? 'error' : ''}>
      <bdi>{isAboutFile(text) ? text : toSentence(new Error(text))}</bdi>
      {(advice || link) && (
        <span class="help">
          {advice} {link && <a href={link.path}>{link.text}</a>}
        </span>
      )}
    </li>
  );
}

/** The path of a file stays as it is. */
function isAboutFile(text: string): boolean {
  return /^\S+\//.test(text);
}

function listFacts({ index, queue, remote, disk, version }: SiteStatus): [string, string][] {
  const waiting = queue?.reduce((sum, { pending }) => sum + pending, 0);
  return [
    [
      t('health.index'),
      `${t('backups.documents', { count: index.documents })}, ${t('backups.media', { count: index.media })}`,
    ],
    ...(waiting === undefined
      ? []
      : [
          [t('health.queue'), waiting === 0 ? t('health.nothing') : t('health.waiting', { count: waiting })] as [
            string,
            string,
          ],
        ]),
    ...(remote
      ? [
          [
            t('remote.title'),
            remote.unpushedCommits === 0 ? t('remote.same') : t('remote.ahead', { count: remote.unpushedCommits }),
          ] as [string, string],
        ]
      : []),
    ...(disk
      ? [
          [t('health.space'), t('health.free', { free: toSize(disk.freeBytes), total: toSize(disk.totalBytes) })] as [
            string,
            string,
          ],
        ]
      : []),
    [t('health.version'), version],
  ];
}
