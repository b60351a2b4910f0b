// The newest workflow run of the git host, for sites that are built there. Nothing is shown if there is none.
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useLive } from '../../shell/use-live.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Failed } from '../../ui/states.tsx';

const URL_OF_STATUS = '/api/admin/deploy/github-status';
const RUNNING_MS = 10_000;

export function Workflow() {
  const { now } = useAdmin();
  const { state, refresh } = useResource<Answer<'/api/admin/deploy/github-status'>>(URL_OF_STATUS);
  const run = state.kind === 'ready' && state.data.found ? state.data : undefined;
  const isRunning = run !== undefined && run.status !== 'completed';
  useEffect(refresh, []);
  useLive(['deploy', 'hello'], refresh);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(refresh, RUNNING_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (state.kind === 'failed') {
    return (
      <Card title={t('workflow.title')} icon="rocket">
        <Failed error={state.error} onRetry={refresh} />
      </Card>
    );
  }
  if (!run) return null;
  const word = run.status === 'completed' ? (run.conclusion ?? 'failure') : run.status;
  return (
    <Card title={t('workflow.title')} icon="rocket">
      <p>
        <span class={`deploy-state deploy-${word}`}>
          {t(`workflow.${word}`, { when: toRelative(run.startedAt, now().getTime()) })}
        </span>{' '}
        {/^https?:\/\//i.test(run.url) && (
          <a href={run.url} target="_blank" rel="noreferrer">
            {t('workflow.open')} <Icon name="external" />
          </a>
        )}
      </p>
    </Card>
  );
}
