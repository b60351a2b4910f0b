// A provisioning as it is kept and as people follow it. The token and every secret are in memory only.
import { z } from 'zod';
import { FLY_VM_SIZES } from '../settings/settings.ts';
import { PROVISION_STATUSES, PROVISION_STEPS, type ProvisionStep } from './input.ts';

/** What was made on Fly: a clean-up removes this and nothing else. */
export const MadeThings = z.object({
  /** Noted before the app is made: after a crash it may exist or not. */
  app: z.boolean(),
  volumes: z.array(z.string()),
  machines: z.array(z.string()),
  ips: z.array(z.string()),
  secrets: z.array(z.string()),
});
export type MadeThings = z.output<typeof MadeThings>;

export const Provision = z.object({
  id: z.string(),
  /** Only who began it may see it: its end carries the set-up link. */
  userId: z.string(),
  appName: z.string(),
  template: z.string(),
  region: z.string(),
  vmSize: z.enum(FLY_VM_SIZES),
  image: z.string(),
  adminEmail: z.string(),
  flyOrg: z.string(),
  startedAt: z.iso.datetime(),
  /** A provisioning that is `running` in the file of an earlier process was interrupted. */
  status: z.enum(PROVISION_STATUSES),
  done: z.array(z.enum(PROVISION_STEPS)),
  error: z.string().nullable(),
  made: MadeThings,
});
export type Provision = z.output<typeof Provision>;

export const NOTHING_MADE: MadeThings = { app: false, volumes: [], machines: [], ips: [], secrets: [] };

/** The event `step`. */
export interface ProvisionStepReport {
  step: ProvisionStep;
  status: 'running' | 'done' | 'failed';
  message: string;
  /** Percent of the whole. */
  progress: number;
}

export type ProvisionEvent =
  | { event: 'step'; data: ProvisionStepReport }
  | { event: 'done'; data: { url: string; setupUrl: string | null } }
  | { event: 'error'; data: { step: ProvisionStep | null; code: string; message: string } };

export function isOver({ event }: ProvisionEvent): boolean {
  return event !== 'step';
}

export function progressOf(step: ProvisionStep, status: ProvisionStepReport['status']): number {
  const at = PROVISION_STEPS.indexOf(step) + (status === 'done' ? 1 : 0);
  return Math.round((at / PROVISION_STEPS.length) * 100);
}
