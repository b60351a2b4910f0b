// Steps on the repository's files that wait for the disk. The packer's thread takes them, one after another, so that a disk
// that does not answer holds up nobody who reads. A step is synchronous: nothing of ours comes between the look at a ref, its
// lock and its rename. What must hold from before a step until it is done is its caller's to hold.
import path from 'node:path';
import type { Disk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import { adoptPacks } from '../repository/adopt-packs.ts';
import { keepCommit } from '../repository/moved-branch.ts';
import {
  install,
  putPacksAside,
  putPacksBack,
  releasePack,
  removePacks,
  removePacksAside,
} from '../repository/pack-files.ts';
import { createBranch, type MoveOutcome, retryMissingFolder } from '../repository/refs.ts';
import { removeLock } from '../repository/remove-lock.ts';
import { type FlatBatch, unflattenBatch } from './flat-batch.ts';
import { createPacker } from './packer.ts';

const toPacks = (repository: string): string => path.join(repository, 'objects', 'pack');

/** The arguments cross as copies, and so does what is returned. */
const STEPS = {
  moveRef: (disk: Disk, repository: string, ref: string, from: Oid | null, to: Oid): MoveOutcome =>
    retryMissingFolder(() => createBranch(disk, repository, ref).move(from, to)),
  removeRef: (disk: Disk, repository: string, ref: string): 'removed' | 'changed' | 'locked' =>
    retryMissingFolder(() => createBranch(disk, repository, ref).remove()),
  keepCommit: (disk: Disk, repository: string, commit: Oid): void => keepCommit(disk, repository, commit),
  installPack: (disk: Disk, repository: string, name: string, pack: Uint8Array, index: Uint8Array): void =>
    install(disk, toPacks(repository), name, [Buffer.from(pack)], Buffer.from(index)),
  /** A pack of its own; returns its name. */
  pack: (disk: Disk, repository: string, batch: FlatBatch): string =>
    createPacker(disk, toPacks(repository)).pack(unflattenBatch(batch)).name,
  adoptPacks: (disk: Disk, repository: string, from: string, names: readonly string[]): void =>
    adoptPacks(disk, toPacks(repository), from, names),
  releasePacks(disk: Disk, repository: string, names: readonly string[]): void {
    for (const name of names) releasePack(disk, toPacks(repository), name);
  },
  /** Makes a folder of no use after a crash somewhere in `above`, of which nothing else stays but these names. */
  makeFolderAmong(disk: Disk, _repository: string, folder: string, above: string, stays: readonly string[]): void {
    for (const name of disk.list(above)) if (!stays.includes(name)) disk.removeFolder(path.join(above, name));
    disk.makeScratchFolder(folder);
  },
  removePacks: (disk: Disk, repository: string, names: readonly string[]): void =>
    removePacks(disk, toPacks(repository), names),
  putPacksAside: (disk: Disk, repository: string, names: readonly string[]): void =>
    putPacksAside(disk, toPacks(repository), names),
  putPacksBack: (disk: Disk, repository: string, names: readonly string[]): void =>
    putPacksBack(disk, toPacks(repository), names),
  removePacksAside: (disk: Disk, repository: string, names: readonly string[]): void =>
    removePacksAside(disk, toPacks(repository), names),
  removeLock: (disk: Disk, repository: string, file: string, identity: string): boolean =>
    removeLock(disk, repository, file, identity),
  /** A second name for a file, in a folder of no use after a crash; returns the file's size. */
  linkFile(disk: Disk, _repository: string, from: string, to: string): number {
    disk.makeScratchFolder(path.dirname(to));
    disk.link(from, to);
    return disk.stat(to)?.size ?? 0;
  },
  removeFolder: (disk: Disk, _repository: string, folder: string): void => disk.removeFolder(folder),
};

type Steps = typeof STEPS;
export type StepName = keyof Steps;
type StepArgs<N extends StepName> = Steps[N] extends (disk: Disk, repository: string, ...args: infer A) => unknown
  ? A
  : never;

/** Resolves once the step is done. Rejects with what it threw: code and message, but not the class of the error. */
export type DiskWork = <N extends StepName>(name: N, ...args: StepArgs<N>) => Promise<ReturnType<Steps[N]>>;

/** As it crosses to a thread. */
export interface Step {
  name: StepName;
  args: unknown[];
}

export function takeStep(disk: Disk, repository: string, { name, args }: Step): unknown {
  return (STEPS[name] as (...all: unknown[]) => unknown)(disk, repository, ...args);
}

/** In the same thread: for tests that watch every disk operation, and for commands. */
export function createInlineWork(disk: Disk, repository: string): DiskWork {
  return async (name, ...args) => takeStep(disk, repository, { name, args }) as never;
}
