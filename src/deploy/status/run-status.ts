// A workflow run of a git host in the words of the interface. Pure.
import { z } from 'zod';
import type { GithubStatus } from '../input.ts';

type Found = Extract<GithubStatus, { found: true }>;

/** What is read of an answer; a host that adds values or leaves some out must not break the page. */
export const RunsAnswer = z.object({
  workflow_runs: z.array(
    z.object({
      id: z.int(),
      status: z.string().nullish(),
      conclusion: z.string().nullish(),
      html_url: z.string().regex(/^https?:\/\//),
      run_started_at: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
});

/** `waiting`, `requested` and `pending` are before a run's first step. */
const STATUSES: Record<string, Found['status']> = {
  queued: 'queued',
  waiting: 'queued',
  requested: 'queued',
  pending: 'queued',
  in_progress: 'in_progress',
  completed: 'completed',
};

const CONCLUSIONS: Record<string, NonNullable<Found['conclusion']>> = {
  success: 'success',
  failure: 'failure',
  cancelled: 'cancelled',
  skipped: 'skipped',
  neutral: 'skipped',
  timed_out: 'failure',
  action_required: 'failure',
  startup_failure: 'failure',
  stale: 'failure',
};

/** The newest run. A conclusion that is not known is a failure: it is not a success, and a person should look. */
export function toGithubStatus({ workflow_runs: [run] }: z.output<typeof RunsAnswer>): GithubStatus {
  const startedAt = Date.parse(run?.run_started_at ?? run?.created_at ?? '');
  if (!run || Number.isNaN(startedAt)) return { found: false };
  const status = lookUp(STATUSES, run.status) ?? 'in_progress';
  return {
    found: true,
    runId: run.id,
    status,
    conclusion: status === 'completed' ? (lookUp(CONCLUSIONS, run.conclusion) ?? 'failure') : null,
    url: run.html_url,
    startedAt: new Date(startedAt).toISOString(),
  };
}

function lookUp<V>(table: Record<string, V>, key: string | null | undefined): V | undefined {
  return key && Object.hasOwn(table, key) ? table[key] : undefined;
}
