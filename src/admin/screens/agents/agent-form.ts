// The form of an agent: its values as they are typed, and as the service takes them. Pure.
import type { Schema } from '../../api/answer.ts';

export type Agent = Schema<'Agent'>;
export type AgentRun = Schema<'AgentRun'>;

export const AGENTS = '/api/cms/agents';

export interface AgentForm {
  name: string;
  role: string;
  systemPrompt: string;
  autonomy: 'draft' | 'full';
  collections: readonly string[];
  /** Empty for none in particular. */
  locale: string;
  active: boolean;
  cron: string;
  timezone: string;
  isScheduled: boolean;
  dailyUsd: string;
  monthlyUsd: string;
}

export const NEW_AGENT: AgentForm = {
  ...{ name: '', role: '', systemPrompt: '', autonomy: 'draft', collections: [], locale: '', active: true },
  ...{ cron: '', timezone: '', isScheduled: false, dailyUsd: '', monthlyUsd: '' },
};

export function toAgentForm({ schedule, budget, locale, ...agent }: Agent): AgentForm {
  const { name, role, systemPrompt, autonomy, collections, active } = agent;
  return {
    ...{ name, role, systemPrompt, autonomy, collections, active },
    locale: locale ?? '',
    ...{ cron: schedule.cron, timezone: schedule.timezone, isScheduled: schedule.enabled },
    dailyUsd: toTyped(budget.dailyUsd),
    monthlyUsd: toTyped(budget.monthlyUsd),
  };
}

export function toAgentBody(form: AgentForm): Schema<'AgentBody'> {
  const { cron, timezone, isScheduled, dailyUsd, monthlyUsd, locale, collections, ...rest } = form;
  return {
    ...rest,
    collections: [...collections],
    locale: locale === '' ? null : locale,
    schedule: { cron: cron.trim(), timezone: timezone.trim(), enabled: isScheduled },
    budget: { dailyUsd: toLimit(dailyUsd), monthlyUsd: toLimit(monthlyUsd) },
  };
}

function toTyped(limit: number | null): string {
  return limit === null ? '' : String(limit);
}

/** Text that is not a number goes to the service as it is, which refuses it: as JSON, `NaN` is null, and no limit. */
function toLimit(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  if (text === '') return null;
  return Number.isFinite(Number(text)) ? Number(text) : (typed.trim() as unknown as number);
}

/** How much of a budget is used, from 0 to 1; undefined without a limit. */
export function toShareUsed(usedUsd: number, limitUsd: number | null): number | undefined {
  if (limitUsd === null) return undefined;
  return limitUsd === 0 ? 1 : Math.min(1, usedUsd / limitUsd);
}
