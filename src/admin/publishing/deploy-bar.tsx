// The deploy in the top bar of every screen that has no button of its own: loaded after the shell, for people who may
// deploy. It also says when a deploy has ended while one was elsewhere.
import { useEffect, useRef } from 'preact/hooks';
import { toSentence } from '../api/sentence.ts';
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { DeployButton } from './deploy-button.tsx';
import { type DeployRun, findActive, isActive, toStateText } from './deploys.ts';
import { type KnownDeploys, useDeploys } from './use-deploys.ts';

export default function DeployBar({ path }: { path: string }) {
  const { now } = useAdmin();
  const { known } = useDeploys();
  const isOnDeploy = path === '/admin/deploy' || path.startsWith('/admin/deploy/');
  useEnds(known?.runs, isOnDeploy);
  useReports();
  if (!known || isOnDeploy || path === '/admin') return null;
  const { state } = known;
  const text = state.kind === 'failed' ? t('deploy.failedShort') : toStateText(state, now().getTime());
  return (
    <div class="deploy-bar">
      {'run' in state && state.kind !== 'live' && state.kind !== 'cancelled' && (
        <a
          class={`deploy-link deploy-${state.kind}`}
          href={`/admin/deploy/${state.run.id}`}
          aria-label={text}
          title={text}
        >
          <Icon name={state.kind === 'failed' ? 'warning' : 'history'} />
          <span aria-hidden="true">{text}</span>
        </a>
      )}
      {state.kind !== 'unset' && <DeployButton class="plain" title={text} />}
    </div>
  );
}

/** Says how a deploy ended that was seen under way. The screen of deploys shows that by itself. */
function useEnds(runs: KnownDeploys['runs'] | undefined, isShown: boolean): void {
  const { messages } = useAdmin();
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (!runs) return;
    const ended = runs.find(({ id }) => id === seen.current);
    seen.current = findActive(runs)?.id;
    if (!ended || isActive(ended) || isShown) return;
    if (ended.status === 'success') messages.notify(t(ended.preview ? 'deploy.donePreview' : 'deploy.done'));
    if (ended.status === 'failure') messages.fail(toFailure(ended));
  }, [runs]);
}

/** What the CI of a site reports: its builds are no deploys of ours. */
function useReports(): void {
  const { live, messages, session, site } = useAdmin();
  useEffect(
    () =>
      live.listen(({ event, data }) => {
        if (event !== 'deploy') return;
        const { status, app } = data as { status: 'success' | 'failure'; app: string };
        const state = session.state.peek();
        const own = site ?? (state.kind === 'signed-in' ? state.profile.sites[0]?.id : undefined);
        if (app === own) return;
        if (status === 'success') messages.notify(t('deploy.ci.success', { app }));
        else messages.fail(t('deploy.ci.failure', { app }));
      }),
    [],
  );
}

function toFailure({ error }: DeployRun): string {
  return t('deploy.doneFailed', { reason: toSentence(error ?? '') });
}
