// What the service says about a provisioning, gathered from its events. Pure.

export interface StepEvent {
  step: string;
  status: 'running' | 'done' | 'failed';
  message: string;
  /** Percent of the whole. */
  progress: number;
}

export interface ProvisionEnd {
  kind: 'done';
  url: string;
  setupUrl: string | null;
}

export interface ProvisionFailure {
  kind: 'error';
  message: string;
}

export interface ProvisionSoFar {
  steps: readonly StepEvent[];
  percent: number;
  end: ProvisionEnd | ProvisionFailure | undefined;
}

export const NOTHING_YET: ProvisionSoFar = { steps: [], percent: 0, end: undefined };

/** A step takes the place of what was said of it before. */
export function withStep(so: ProvisionSoFar, step: StepEvent): ProvisionSoFar {
  const others = so.steps.filter((one) => one.step !== step.step);
  return { ...so, steps: [...others, step], percent: Math.max(so.percent, step.progress) };
}

export function withEnd(so: ProvisionSoFar, end: ProvisionEnd | ProvisionFailure): ProvisionSoFar {
  return { ...so, end, percent: end.kind === 'done' ? 100 : so.percent };
}
