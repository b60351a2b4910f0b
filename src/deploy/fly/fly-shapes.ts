// What the machines API answers, as far as it is read, and the configuration of a machine. Fly adds keys at any time.
import { z } from 'zod';

export const FlyTokens = z.object({ tokens: z.array(z.object({ org_slug: z.string().nullish() })) });

export const FlyRegions = z.object({
  Regions: z.array(z.object({ code: z.string(), name: z.string().nullish() })),
});

export const FlyIps = z.object({
  ips: z
    .array(z.object({ ip: z.string(), shared: z.boolean().nullish() }))
    .nullish()
    .transform((ips) => ips ?? []),
});
export type FlyIps = z.output<typeof FlyIps>;

export const FlyVolume = z.object({
  id: z.string(),
  name: z.string(),
  /** The one that Fly chose; its machine must be in it. */
  region: z.string(),
  state: z.string().nullish(),
  attached_machine_id: z.string().nullish(),
});
export type FlyVolume = z.output<typeof FlyVolume>;
export const FlyVolumes = z.array(FlyVolume);
export type FlyVolumes = FlyVolume[];

export const FlyMachine = z.object({
  id: z.string(),
  name: z.string().nullish(),
  state: z.string().nullish(),
  region: z.string().nullish(),
  image_ref: z
    .object({ registry: z.string().nullish(), repository: z.string().nullish(), digest: z.string().nullish() })
    .nullish(),
  checks: z.array(z.object({ status: z.string(), output: z.string().nullish() })).nullish(),
  config: z
    .object({
      image: z.string().nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
      mounts: z.array(z.object({ volume: z.string(), path: z.string().nullish() })).nullish(),
    })
    .nullish(),
});
export type FlyMachine = z.output<typeof FlyMachine>;
export const FlyMachines = z.array(FlyMachine);
export type FlyMachines = FlyMachine[];

export const FlyLease = z.object({ data: z.object({ nonce: z.string() }) });
export const FlySecretNames = z.object({ secrets: z.array(z.object({ name: z.string() })) });
export const FlySecretsSet = z.object({ version: z.number().nullish() });
export const FlyCertificate = z.object({ configured: z.boolean().nullish() });

export interface MachineConfig {
  image: string;
  guest: MachineGuest;
  env: Record<string, string>;
  init?: { cmd: string[] };
  files?: { guest_path: string; raw_value: string }[];
  mounts: { volume: string; path: string }[];
  services: object[];
  checks: Record<string, object>;
  restart: { policy: 'always' | 'on-failure' };
  /** Tells our machines from those that somebody else made. */
  metadata: Record<string, string>;
}

export interface MachineGuest {
  cpu_kind: 'shared' | 'performance';
  cpus: number;
  memory_mb: number;
}
