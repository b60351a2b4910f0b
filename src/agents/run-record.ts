// The records of an agent's runs in its file: begun, as far as they are, and ended. Pure.
import { ServiceError } from '../lib/errors.ts';
import type { AgentFile, AgentRun } from './agent.ts';

/** Runs that a file keeps. */
const MAX_RUNS = 200;

export function newRun(
  id: string,
  file: AgentFile,
  trigger: AgentRun['trigger'],
  model: string | null,
  at: Date,
  warnings: string[],
): AgentRun {
  return {
    ...{ id, agentId: file.id, status: 'running', trigger, startedAt: at.toISOString(), durationMs: null, model },
    ...{ steps: [], inputTokens: 0, outputTokens: 0, costUsd: null, itemId: null, itemIds: [], documentId: null },
    ...{ error: null, code: null, warnings },
  };
}

/** The file with the run as it is now; one that has ended counts. */
export function withRun(file: AgentFile, run: AgentRun): AgentFile {
  const runs = [run, ...file.runs.filter(({ id }) => id !== run.id)];
  runs.sort((a, b) => (a.startedAt > b.startedAt ? -1 : a.startedAt < b.startedAt ? 1 : 0));
  const kept = runs.slice(0, MAX_RUNS);
  if (run.status === 'running') return { ...file, runs: kept };
  const { totals } = file;
  return {
    ...file,
    runs: kept,
    totals: {
      ...totals,
      runs: totals.runs + 1,
      [run.status]: totals[run.status] + 1,
      inputTokens: totals.inputTokens + run.inputTokens,
      outputTokens: totals.outputTokens + run.outputTokens,
      costUsd: totals.costUsd + (run.costUsd ?? 0),
    },
  };
}

export function toEnd(
  error: unknown,
  {
    isCancelled,
    hasEnded,
    isLate,
    isClosing,
  }: { isCancelled: boolean; hasEnded: boolean; isLate: boolean; isClosing: boolean },
): Pick<AgentRun, 'status' | 'error' | 'code'> {
  if (isCancelled) return { status: 'cancelled', error: null, code: null };
  if (hasEnded)
    return { status: 'failed', error: 'the credentials that the run acts for have ended', code: 'forbidden' };
  if (isClosing) return { status: 'failed', error: 'the service ended during the run', code: 'unavailable' };
  if (isLate) return { status: 'failed', error: 'the run took longer than 5 minutes', code: 'provider_busy' };
  if (error instanceof ServiceError) return { status: 'failed', error: error.message, code: error.code };
  return { status: 'failed', error: 'an internal error; the process log has it', code: 'internal' };
}
