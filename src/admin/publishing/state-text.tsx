import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { type DeployState, toStateText } from './deploys.ts';

/** Whether the site is live, under way or broken, in words and a colour. */
export function StateText({ state }: { state: DeployState }) {
  const { now } = useAdmin();
  return (
    <span class={`deploy-state deploy-${state.kind}`} role="status" aria-label={t('deploy.state')}>
      {toStateText(state, now().getTime())}
    </span>
  );
}
