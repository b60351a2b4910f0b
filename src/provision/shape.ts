// A provisioning as the API lists it, without anything that is secret. Pure.
import { hasMade } from './clean-up.ts';
import type { ProvisionShape } from './input.ts';
import { urlOf } from './machine.ts';
import type { Provision } from './provision.ts';

export function toNewestFirst(provisions: readonly Provision[]): Provision[] {
  return provisions.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
}

export function toShape(provision: Provision, now: { isRunning: boolean; hasToken: boolean }): ProvisionShape {
  const { userId: _, done: __, made, flyOrg, status, ...rest } = provision;
  const { app, volumes, machines, ips, secrets } = made;
  return {
    ...rest,
    ...(flyOrg !== '' && { flyOrg }),
    url: urlOf(provision),
    status: status === 'running' && !now.isRunning ? 'interrupted' : status,
    made: {
      app,
      volumes: volumes.length,
      machines: machines.length,
      ips: ips.length,
      secrets: secrets.length,
    },
    needsToken: hasMade(made) && !now.hasToken,
  };
}
