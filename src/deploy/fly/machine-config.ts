// The configuration of the machines that Colophon makes on Fly. Pure.
import type { FLY_VM_SIZES } from '../../settings/settings.ts';
import type { MachineConfig, MachineGuest } from './fly-shapes.ts';

export type FlyVmSize = (typeof FLY_VM_SIZES)[number];

/** What the machine is for; `role` and `owner` tell it from machines that somebody else made. */
export interface MachineWish {
  image: string;
  vmSize: FlyVmSize;
  env: Record<string, string>;
  command?: string[] | undefined;
  /** Path in the machine to its text. */
  files?: Record<string, string> | undefined;
  volume: string;
  mountPath: string;
  port: number;
  healthPath: string;
  metadata: Record<string, string>;
}

export function toMachineConfig(wish: MachineWish): MachineConfig {
  const files = Object.entries(wish.files ?? {}).map(([path, text]) => ({
    guest_path: path,
    raw_value: Buffer.from(text, 'utf8').toString('base64'),
  }));
  return {
    image: wish.image,
    guest: toGuest(wish.vmSize),
    env: { ...wish.env, PORT: `${wish.port}` },
    ...(wish.command ? { init: { cmd: wish.command } } : {}),
    ...(files.length > 0 ? { files } : {}),
    mounts: [{ volume: wish.volume, path: wish.mountPath }],
    services: [
      {
        protocol: 'tcp',
        internal_port: wish.port,
        ports: [
          { port: 80, handlers: ['http'], force_https: true },
          { port: 443, handlers: ['tls', 'http'] },
        ],
        // It holds the only copy of the site: it stays on.
        autostart: true,
        autostop: 'off',
        min_machines_running: 1,
        concurrency: { type: 'requests', soft_limit: 200, hard_limit: 250 },
      },
    ],
    checks: {
      health: {
        type: 'http',
        port: wish.port,
        method: 'GET',
        path: wish.healthPath,
        interval: '15s',
        timeout: '5s',
        grace_period: '30s',
      },
    },
    restart: { policy: 'always' },
    metadata: wish.metadata,
  };
}

/** `dedicated-1x` is what Fly calls `performance-1x`. */
export function toGuest(size: FlyVmSize): MachineGuest {
  const cpus = Number(/-(\d+)x$/.exec(size)![1]);
  return size.startsWith('shared')
    ? { cpu_kind: 'shared', cpus, memory_mb: 256 * cpus }
    : { cpu_kind: 'performance', cpus, memory_mb: 2048 * cpus };
}
