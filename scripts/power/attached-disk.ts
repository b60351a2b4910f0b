// A device as a disk of this machine, with a file system on it: NBD, nbdfuse, a loop device, mount. Needs no kernel
// module that a small virtual machine lacks, and ends everything that it starts.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../test/support/process.ts';
import type { Device } from './device.ts';
import { type NbdServer, serveDevice } from './nbd-server.ts';

const run = promisify(execFile);

export const FILE_SYSTEMS = ['ext4', 'xfs', 'btrfs'] as const;
export type FileSystem = (typeof FILE_SYSTEMS)[number];

const ATTACH_MS = 20_000;
/** Small enough for memory, and the minimum of each file system. */
export const DEVICE_BYTES = 512 << 20;

export interface AttachedDisk {
  /** The mounted folder. */
  readonly folder: string;
  /** From now on the disk fails every request. */
  cutPower(): void;
  /** Detaches it; what a disk without power fails to write is lost. */
  detach(): Promise<void>;
}

/** What this machine lacks, in words for the person who has to install it. */
export async function listMissing(fileSystem: FileSystem): Promise<string[]> {
  const missing: string[] = [];
  if (process.platform !== 'linux') return ['Linux'];
  if (process.getuid?.() !== 0) missing.push('root (run it with sudo)');
  for (const [file, from] of [
    ['/dev/fuse', 'the fuse module of the kernel'],
    ['/dev/loop-control', 'the loop module of the kernel'],
  ] as const) {
    if (!existsSync(file)) missing.push(`${file} (${from})`);
  }
  const programs = { nbdfuse: 'libnbd-bin or nbdfuse', losetup: 'util-linux', mount: 'util-linux', git: 'git' };
  const makers = { ext4: 'e2fsprogs', xfs: 'xfsprogs', btrfs: 'btrfs-progs' };
  const wanted = { ...programs, [`mkfs.${fileSystem}`]: makers[fileSystem] };
  for (const [program, from] of Object.entries(wanted)) {
    const isThere = await run('sh', ['-c', 'command -v "$0"', program]).then(
      () => true,
      () => false,
    );
    if (!isThere) missing.push(`${program} (package ${from})`);
  }
  if (!new RegExp(`\\b${fileSystem}$`, 'm').test(readFileSync('/proc/filesystems', 'utf8'))) {
    const isLoaded = await run('modprobe', [fileSystem]).then(
      () => true,
      () => false,
    );
    if (!isLoaded) missing.push(`${fileSystem} in the kernel`);
  }
  return missing;
}

/** Mounts the device below `place`; `isNew`: with an empty file system. */
export async function attach(
  device: Device,
  fileSystem: FileSystem,
  place: string,
  { isNew = false } = {},
): Promise<AttachedDisk> {
  const [socket, fuse, folder] = [join(place, 'socket'), join(place, 'fuse'), join(place, 'disk')];
  for (const one of [place, fuse, folder]) mkdirSync(one, { recursive: true });
  const file = join(fuse, 'device');
  const undo: (() => Promise<unknown>)[] = [];
  const detach = async (): Promise<void> => {
    for (const back of undo.splice(0).reverse()) await back();
  };
  try {
    const server: NbdServer = await serveDevice(device, socket);
    undo.push(() => server.close());
    const bridge = spawn('nbdfuse', [file, `nbd+unix:///?socket=${socket}`], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    undo.push(() => endBridge(bridge, fuse));
    await eventually(async () => {
      const { stdout } = await run('stat', ['-c', '%s', file]);
      if (Number(stdout) !== device.sizeBytes) throw new Error('nbdfuse does not show the device');
    }, ATTACH_MS);
    const { stdout } = await run('losetup', ['--find', '--show', file]);
    const loop = stdout.trim();
    undo.push(() => run('losetup', ['--detach', loop]));
    if (isNew) await run(`mkfs.${fileSystem}`, [fileSystem === 'ext4' ? '-F' : '-f', '-q', loop]);
    await run('mount', ['-t', fileSystem, loop, folder]);
    undo.push(() => unmount(folder));
    return { folder, cutPower: server.cutPower, detach };
  } catch (error) {
    await detach();
    throw error;
  }
}

async function unmount(folder: string): Promise<void> {
  // Processes that had files open were killed a moment ago.
  await eventually(() => run('umount', [folder]), ATTACH_MS);
}

async function endBridge(bridge: ChildProcess, fuse: string): Promise<void> {
  const ended = new Promise((done) => bridge.once('exit', done));
  if (bridge.exitCode !== null) return;
  await eventually(() => run('umount', [fuse]), ATTACH_MS);
  await ended;
}
