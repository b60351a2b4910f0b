// The last runs of an agent, newest first; those that run now can be cancelled, whichever page began them.

import { useState } from 'preact/hooks';
import type { ResourceState } from '../../api/resources.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { useAct } from '../../shell/use-act.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { t } from '../../text/translate.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import type { AgentRun } from './agent-form.ts';
import { ResultLinks, RunFigures } from './run-result.tsx';

export interface FoundRuns {
  state: ResourceState<{ runs: readonly AgentRun[] }>;
  refresh(): void;
}

const FIRST = 10;
/** `url` is that of the agent; undefined without the right to see its runs. Runs of others are followed by events. */
export function useRuns(url: string | undefined): FoundRuns {
  return useFresh<{ runs: readonly AgentRun[] }>(url && `${url}/runs`);
}

export function Runs({ state, refresh, url }: FoundRuns & { url: string }) {
  const { request, messages } = useAdmin();
  const act = useAct();
  const [most, setMost] = useState(FIRST);

  const cancel = ({ id }: AgentRun): Promise<void> =>
    act(id, async () => {
      await request('POST', `${url}/runs/${encodeURIComponent(id)}/cancel`);
      messages.notify(t('agents.cancelled'));
    }).finally(refresh);

  return (
    <Loaded state={state} onRetry={refresh}>
      {({ runs }) =>
        runs.length === 0 ? (
          <Empty>{t('agents.noRuns')}</Empty>
        ) : (
          <>
            <ul class="rows agent-runs" aria-label={t('agents.runs')}>
              {runs.slice(0, most).map((run) => (
                <li key={run.id}>
                  <span>
                    <span class={`agent-status agent-${run.status}`}>{t(`agents.status.${run.status}`)}</span>
                    {' · '}
                    <Time at={run.startedAt} />
                    {` · ${t(`agents.trigger.${run.trigger}`)}`}
                  </span>
                  <RunFigures run={run} />
                  {run.error !== null && <p class="error">{toSentence(run.error)}</p>}
                  <ResultLinks ids={run.itemIds} />
                  {run.status === 'running' && (
                    <button type="button" onClick={() => void cancel(run)}>
                      {t('agents.cancel')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {runs.length > most && (
              <button type="button" onClick={() => setMost(most + FIRST * 2)}>
                {t('agents.runsMore')}
              </button>
            )}
          </>
        )
      }
    </Loaded>
  );
}
