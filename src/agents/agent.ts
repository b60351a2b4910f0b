// An agent's configuration and its runs, as they are stored and answered (decisions.md, section 11, "Agents").
import { z } from 'zod';
import { StoredMaker } from '../lib/rights/maker.ts';
import { isLocale } from '../lib/text/locale.ts';
import { cronProblem, isTimeZone } from '../lib/time/cron.ts';

const Cron = z
  .string()
  .trim()
  .max(100, { abort: true })
  .superRefine((expression, check) => {
    const problem = expression === '' ? undefined : cronProblem(expression);
    if (problem) check.addIssue({ code: 'custom', message: problem });
  });
const Timezone = z
  .string()
  .max(100, { abort: true })
  .refine((name) => name === '' || isTimeZone(name), 'must be an IANA time zone such as Europe/Copenhagen');
const Usd = z.number().min(0).max(1_000_000).nullable().default(null);

const ScheduleShape = z.strictObject({
  cron: Cron.default(''),
  timezone: Timezone.default('').meta({ description: "the site's if empty" }),
  enabled: z.boolean().default(false),
});
const BudgetShape = z.strictObject({
  dailyUsd: Usd.meta({ description: "a day in the site's time zone; null means no limit" }),
  monthlyUsd: Usd,
});

export const AgentBody = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    role: z.string().trim().min(1).max(200),
    systemPrompt: z.string().min(1).max(20_000),
    autonomy: z.enum(['draft', 'full']).default('draft'),
    collections: z.array(z.string().min(1).max(100)).min(1).max(200).meta({ description: 'that it may write' }),
    schedule: ScheduleShape.default({ cron: '', timezone: '', enabled: false }),
    budget: BudgetShape.default({ dailyUsd: null, monthlyUsd: null }),
    locale: z.string().refine(isLocale, 'expected a BCP 47 language tag such as en').nullable().default(null),
    active: z.boolean().default(true),
  })
  .superRefine(({ schedule }, check) => {
    if (schedule.enabled && schedule.cron === '') {
      check.addIssue({
        code: 'custom',
        path: ['schedule', 'cron'],
        message: 'is required for a schedule that is enabled',
      });
    }
  })
  .meta({ id: 'AgentBody' });
export type AgentBody = z.output<typeof AgentBody>;

const Ignored = z.unknown().optional().meta({ description: 'ignored, so that what GET answers can be sent back' });

/** For PUT: the same, and what an answer has besides. */
export const AgentReplaceBody = AgentBody.safeExtend({
  id: Ignored,
  createdAt: Ignored,
  updatedAt: Ignored,
  stats: Ignored,
  warnings: Ignored,
})
  .transform(({ id, createdAt, updatedAt, stats, warnings, ...config }): AgentBody => config)
  .meta({ id: 'AgentReplaceBody' });

export const AgentRun = z
  .object({
    id: z.string(),
    agentId: z.string(),
    status: z.enum(['running', 'completed', 'failed', 'cancelled']),
    trigger: z.enum(['manual', 'schedule']),
    startedAt: z.iso.datetime(),
    durationMs: z.int().nullable(),
    model: z.string().nullable(),
    steps: z.array(
      z.object({
        inputTokens: z.int(),
        outputTokens: z.int(),
        costUsd: z.number().nullable(),
        tools: z.array(z.string()),
      }),
    ),
    inputTokens: z.int(),
    outputTokens: z.int(),
    costUsd: z.number().nullable(),
    itemId: z.string().nullable().meta({ description: 'the first of itemIds' }),
    itemIds: z.array(z.string()),
    documentId: z.string().nullable().meta({ description: 'the first document that it wrote itself' }),
    error: z.string().nullable(),
    code: z.string().nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'AgentRun' });
export type AgentRun = z.output<typeof AgentRun>;

const Spent = z.object({ day: z.string(), dayUsd: z.number(), month: z.string(), monthUsd: z.number() });
export type Spent = z.output<typeof Spent>;

const Totals = z.object({
  runs: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
});
export type Totals = z.output<typeof Totals>;

/** The file of an agent. */
export const AgentFile = z.object({
  version: z.literal(1),
  id: z.string(),
  config: AgentBody,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** The admin whose rights a scheduled run has. */
  activatedBy: z.string().nullable(),
  /** The permissions of the token that an earlier version activated it with; null for a session. */
  activatedWith: z.array(z.string()).nullable().default(null),
  /** The session or token that it was activated with, with which it stops; absent in files of earlier versions. */
  maker: StoredMaker.optional(),
  /** When and why it stopped; absent while it may run. */
  stopped: z.object({ at: z.iso.datetime(), reason: z.string() }).optional(),
  /** The next scheduled run is the first match after this. */
  after: z.iso.datetime(),
  /** What is spent or reserved. */
  spent: Spent,
  totals: Totals,
  /** Newest first. */
  runs: z.array(AgentRun),
});
export type AgentFile = z.output<typeof AgentFile>;

export const Agent = z
  .object({
    id: z.string(),
    ...AgentBody.shape,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    stats: z.object({
      ...Totals.shape,
      spentTodayUsd: z.number(),
      spentThisMonthUsd: z.number(),
      lastRunAt: z.iso.datetime().nullable(),
      stoppedAt: z.iso.datetime().nullable().meta({ description: 'when it stopped by itself; `warnings` says why' }),
    }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Agent' });
export type Agent = z.output<typeof Agent>;

export const NO_BUDGET = 'the budget cannot be kept: the configuration of the site has no "ai.price"';

export function toAgent(file: AgentFile, spent: Spent, hasPrice: boolean): Agent {
  const { id, config, createdAt, updatedAt, totals, runs, stopped } = file;
  return {
    id,
    ...config,
    createdAt,
    updatedAt,
    stats: {
      ...totals,
      spentTodayUsd: spent.dayUsd,
      spentThisMonthUsd: spent.monthUsd,
      lastRunAt: runs[0]?.startedAt ?? null,
      stoppedAt: stopped?.at ?? null,
    },
    warnings: [...(stopped ? [toStopWarning(stopped.reason)] : []), ...warningsOf(config, hasPrice)],
  };
}

export function toStopWarning(reason: string): string {
  return `stopped, because it ends with the credentials that activated it: ${reason}; an admin activates it again by saving it`;
}

export function warningsOf({ budget }: AgentBody, hasPrice: boolean): string[] {
  return !hasPrice && (budget.dailyUsd !== null || budget.monthlyUsd !== null) ? [NO_BUDGET] : [];
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isAgentId(text: string): boolean {
  return ID.test(text);
}
