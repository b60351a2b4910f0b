// What an agent has spent of what it may spend.
import { useId } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { toUsd } from '../../text/money.ts';
import { t } from '../../text/translate.ts';
import { type Agent, toShareUsed } from './agent-form.ts';

export function Spending({ agent: { budget, stats, warnings } }: { agent: Agent }) {
  return (
    <>
      <dl class="spending">
        <Period label={t('agents.today')} used={stats.spentTodayUsd} limit={budget.dailyUsd} />
        <Period label={t('agents.month')} used={stats.spentThisMonthUsd} limit={budget.monthlyUsd} />
      </dl>
      {warnings.map((warning) => (
        <p class="help" key={warning}>
          {toSentence(warning)}.
        </p>
      ))}
    </>
  );
}

function Period({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const id = useId();
  const share = toShareUsed(used, limit);
  const spent = toUsd(used);
  return (
    <div>
      <dt id={id}>{label}</dt>
      <dd>
        {limit === null ? t('agents.noLimit', { spent }) : t('agents.spent', { spent, limit: toUsd(limit) })}
        {share !== undefined && <meter aria-labelledby={id} value={share} high={0.8} optimum={0} max={1} />}
      </dd>
    </div>
  );
}
