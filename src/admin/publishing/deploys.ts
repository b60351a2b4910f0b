// What deploys say about the site, as every place that shows them needs it. Pure.
import '../text/en-publishing.ts';
import type { Answer } from '../api/answer.ts';
import { toRelative } from '../text/times.ts';
import { t } from '../text/translate.ts';

export type DeployRun = Answer<'/api/admin/deploys'>['deploys'][number];
export type DeployTarget = NonNullable<Answer<'/api/admin/deploys/target'>>;

export const DEPLOYS_URL = '/api/admin/deploys';
export const TARGET_URL = '/api/admin/deploys/target';

export type DeployState =
  /** `missing` is empty if no target is chosen at all. */
  | { kind: 'unset'; missing: DeployTarget['missing'] }
  | { kind: 'never' }
  | { kind: 'queued' | 'building' | 'uploading' | 'live' | 'failed' | 'cancelled'; run: DeployRun };

export function isActive({ status }: Pick<DeployRun, 'status'>): boolean {
  return status === 'queued' || status === 'building' || status === 'uploading';
}

/** The run that is under way, or else the one that waits. `runs` are newest first. */
export function findActive(runs: readonly DeployRun[]): DeployRun | undefined {
  return runs.find((run) => isActive(run) && run.status !== 'queued') ?? runs.find(isActive);
}

/** What people see now: the newest success that is not a preview. */
export function findLiveRun(runs: readonly DeployRun[]): DeployRun | undefined {
  return runs.find(({ status, preview }) => status === 'success' && !preview);
}

/** What is under way says more than what is missing, and that more than how the last one ended. */
export function toDeployState(runs: readonly DeployRun[], target: DeployTarget | null): DeployState {
  const active = findActive(runs);
  if (active) return { kind: active.status as 'queued', run: active };
  if (!target || target.missing.length > 0) return { kind: 'unset', missing: target?.missing ?? [] };
  const [last] = runs;
  if (last?.status === 'failure') return { kind: 'failed', run: last };
  if (last?.status === 'cancelled') return { kind: 'cancelled', run: last };
  const live = findLiveRun(runs);
  return live ? { kind: 'live', run: live } : { kind: 'never' };
}

export function toStateText(state: DeployState, nowMs: number): string {
  if (state.kind === 'unset') return t(state.missing.length > 0 ? 'deploy.missing' : 'deploy.unset');
  if (state.kind === 'never') return t('deploy.never');
  const { run } = state;
  if (state.kind === 'queued' && run.waitsUntil !== null) {
    return t('deploy.queuedUntil', { when: toRelative(run.waitsUntil, nowMs) });
  }
  if (state.kind === 'uploading' && run.files.total > 0) return t('deploy.uploadingFiles', run.files);
  if (state.kind === 'queued' || state.kind === 'building' || state.kind === 'uploading') {
    return t(`deploy.${state.kind}`);
  }
  return t(`deploy.${state.kind}`, { when: toRelative(endOf(run), nowMs) });
}

/** ISO 8601; the beginning of one that goes on. */
export function endOf({ startedAt, durationMs }: Pick<DeployRun, 'startedAt' | 'durationMs'>): string {
  return new Date(Date.parse(startedAt) + (durationMs ?? 0)).toISOString();
}

/** Whether the host can make it the live one again, as far as a page can know. */
export function mayRollBack(run: DeployRun, runs: readonly DeployRun[], target: DeployTarget | null): boolean {
  if (!target?.hasRollback || target.missing.length > 0 || target.provider !== run.provider) return false;
  return run.status === 'success' && !run.preview && run !== findLiveRun(runs);
}
