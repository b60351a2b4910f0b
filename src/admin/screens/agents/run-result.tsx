import { toSentence } from '../../api/sentence.ts';
import { toUsd } from '../../text/money.ts';
import { t } from '../../text/translate.ts';
import type { AgentRun } from './agent-form.ts';

const MS = 1000;

/** How a run ended: what it cost, and where its results are. */
export function RunResult({ run }: { run: AgentRun }) {
  const { status, itemIds, documentId, error, warnings } = run;
  return (
    <div class="run-result">
      {status === 'running' && <p>{t('agents.stillRuns')}</p>}
      {status === 'completed' && <p>{t('agents.ended.completed')}</p>}
      {status === 'cancelled' && <p>{t('agents.ended.cancelled')}</p>}
      {status === 'failed' && <p class="error">{t('agents.ended.failed', { reason: toSentence(error ?? '') })}</p>}
      <RunFigures run={run} />
      {warnings.map((warning) => (
        <p class="help" key={warning}>
          {toSentence(warning)}.
        </p>
      ))}
      <ResultLinks ids={itemIds} />
      {documentId !== null && <p>{t('agents.wrote')}</p>}
      {status === 'completed' && itemIds.length === 0 && documentId === null && <p>{t('agents.nothing')}</p>}
    </div>
  );
}

export function RunFigures({ run: { inputTokens, outputTokens, costUsd, durationMs, model } }: { run: AgentRun }) {
  const figures = [
    durationMs !== null && t('agents.seconds', { count: Math.round(durationMs / MS) }),
    t('ai.tokens', { count: inputTokens + outputTokens }),
    costUsd !== null && toUsd(costUsd),
    model,
  ];
  return <p class="help">{figures.filter((one) => typeof one === 'string').join(' · ')}</p>;
}

export function ResultLinks({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <ul class="run-results" aria-label={t('agents.results', { count: ids.length })}>
      {ids.map((id, at) => (
        <li key={id}>
          <a href={`/admin/curation/${encodeURIComponent(id)}`}>{t('agents.result', { count: at + 1 })}</a>
        </li>
      ))}
    </ul>
  );
}
