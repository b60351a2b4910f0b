// The last deploys: who, when, what, with which result; cancelled and rolled back where it is possible.
import { useId, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { DEPLOYS_URL, type DeployRun, findLiveRun, isActive, mayRollBack } from '../../publishing/deploys.ts';
import type { KnownDeploys } from '../../publishing/use-deploys.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/states.tsx';
import { toDuration } from './duration.ts';

export interface RunsProps {
  known: KnownDeploys;
  /** The run whose log is shown. */
  shown: string | undefined;
  onOpen(id: string): void;
}

export function Runs({ known, shown, onOpen }: RunsProps) {
  const { runs } = known;
  const live = findLiveRun(runs);
  return (
    <Card title={t('runs.title')} icon="history">
      <table class="runs" aria-label={t('runs.title')}>
        <thead>
          <tr>
            <th scope="col">{t('runs.started')}</th>
            <th scope="col" class="wide">
              {t('runs.commit')}
            </th>
            <th scope="col" class="wide">
              {t('runs.target')}
            </th>
            <th scope="col" class="wide">
              {t('runs.duration')}
            </th>
            <th scope="col">{t('runs.result')}</th>
            <th scope="col">
              <span class="hidden">{t('runs.action')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} {...{ run, known, onOpen }} isShown={run.id === shown} isLive={run === live} />
          ))}
        </tbody>
      </table>
      {runs.length === 0 && <Empty>{t('runs.empty')}</Empty>}
    </Card>
  );
}

interface RunRowProps {
  run: DeployRun;
  known: KnownDeploys;
  isShown: boolean;
  isLive: boolean;
  onOpen(id: string): void;
}

function RunRow({ run, known, isShown, isLive, onOpen }: RunRowProps) {
  const { now } = useAdmin();
  const id = useId();
  const nowMs = now().getTime();
  const { startedAt, commit, profile, preview, provider, trigger, by, durationMs, error, status } = run;
  const lastMs = durationMs ?? (status === 'queued' ? undefined : nowMs - Date.parse(startedAt));
  return (
    <tr class={isShown ? 'shown' : ''}>
      <th scope="row" id={id}>
        <a
          href={`/admin/deploy/${run.id}`}
          aria-current={isShown ? 'true' : undefined}
          title={toExact(startedAt)}
          onClick={() => onOpen(run.id)}
        >
          <time datetime={startedAt}>{toRelative(startedAt, nowMs)}</time>
        </a>
        <span class="help">
          <bdi>{by ?? t('runs.byNobody')}</bdi>
          {', '}
          {t(`runs.trigger.${trigger}`)}
        </span>
      </th>
      <td class="wide">{commit && <code title={commit}>{commit.slice(0, 10)}</code>}</td>
      <td class="wide">
        {provider}
        <span class="help">{[profile, preview && t('runs.preview')].filter(Boolean).join(', ')}</span>
      </td>
      <td class="wide">{lastMs !== undefined && toDuration(lastMs)}</td>
      <td>
        <span class={`run-status run-${status}`}>{t(`runs.status.${status}`)}</span>
        {isLive && <span class="mark">{t('runs.isLive')}</span>}
        {error ? (
          <span class="help run-error">{toSentence(error)}</span>
        ) : (
          run.files.total > 0 && (
            <span class="help">{t('runs.files', { sent: run.files.sent, count: run.files.total })}</span>
          )
        )}
      </td>
      <td>
        <RunAction run={run} known={known} describedBy={id} />
      </td>
    </tr>
  );
}

function RunAction({ run, known, describedBy }: { run: DeployRun; known: KnownDeploys; describedBy: string }) {
  const { session, request, messages, resources } = useAdmin();
  const [isBusy, setBusy] = useState(false);
  if (!session.may('deploy:trigger')) return null;

  async function ask(id: string, verb: 'cancel' | 'rollback'): Promise<boolean> {
    try {
      await request('POST', `${DEPLOYS_URL}/${encodeURIComponent(id)}/${verb}`);
      return true;
    } catch (error) {
      messages.fail(toSentence(error));
      return false;
    } finally {
      resources.refresh(DEPLOYS_URL);
    }
  }

  async function act(verb: 'cancel' | 'rollback'): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const before = findLiveRun(known.runs);
    const isDone = await ask(run.id, verb);
    setBusy(false);
    if (!isDone) return;
    if (verb === 'cancel') return messages.notify(t('runs.cancelled'));
    const undo = before && (() => void ask(before.id, 'rollback'));
    messages.notify(t('runs.rolledBack', { when: toExact(run.startedAt) }), undo);
  }

  const verb = isActive(run) ? 'cancel' : mayRollBack(run, known.runs, known.target) ? 'rollback' : undefined;
  if (!verb) return null;
  return (
    <button type="button" aria-describedby={describedBy} aria-disabled={isBusy} onClick={() => void act(verb)}>
      {t(verb === 'cancel' ? 'runs.cancel' : 'runs.rollBack')}
    </button>
  );
}
