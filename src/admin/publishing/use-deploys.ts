import { toSentence } from '../api/sentence.ts';
import { useAdmin, useResource } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import {
  DEPLOYS_URL,
  type DeployRun,
  type DeployState,
  type DeployTarget,
  TARGET_URL,
  toDeployState,
} from './deploys.ts';

export interface KnownDeploys {
  runs: readonly DeployRun[];
  target: DeployTarget | null;
  state: DeployState;
}

/** Undefined until both are there. `error` is what failed, if one of them did. */
export function useDeploys(): { known: KnownDeploys | undefined; error: unknown; refresh(): void } {
  const runs = useResource<{ deploys: readonly DeployRun[] }>(DEPLOYS_URL);
  const target = useResource<DeployTarget | null>(TARGET_URL);
  const refresh = (): void => {
    runs.refresh();
    target.refresh();
  };
  for (const { state } of [runs, target]) {
    if (state.kind === 'failed') return { known: undefined, error: state.error, refresh };
  }
  if (runs.state.kind !== 'ready' || target.state.kind !== 'ready') {
    return { known: undefined, error: undefined, refresh };
  }
  const { deploys } = runs.state.data;
  const state = toDeployState(deploys, target.state.data);
  return { known: { runs: deploys, target: target.state.data, state }, error: undefined, refresh };
}

export interface DeployWish {
  profile?: string;
  preview?: boolean;
}

/** Asks for a deploy and says what came of it; resolves with it, or with undefined if it was refused. */
export function useTrigger(): (wish?: DeployWish) => Promise<DeployRun | undefined> {
  const { request, messages, resources } = useAdmin();
  return async (wish = {}) => {
    const before = new Set(queuedIds(resources.get<{ deploys: readonly DeployRun[] }>(DEPLOYS_URL).state.peek()));
    try {
      const { data } = await request<{ deploy: DeployRun }>('POST', '/api/admin/deploy', { body: wish });
      const asked = wish.preview ? 'deploy.askedPreview' : 'deploy.asked';
      messages.notify(t(before.has(data.deploy.id) ? 'deploy.joined' : asked));
      return data.deploy;
    } catch (error) {
      messages.fail(toSentence(error));
      return undefined;
    } finally {
      resources.refresh(DEPLOYS_URL);
    }
  };
}

function queuedIds(state: { kind: string; data?: { deploys: readonly DeployRun[] } }): string[] {
  return (state.data?.deploys ?? []).filter(({ status }) => status === 'queued').map(({ id }) => id);
}
