// Steps on the repository's files that wait for the disk. The packer's thread runs them, one after another, so that a
// disk that does not answer delays no reader. A step is synchronous: no other step of ours runs between reading a ref,
// locking and renaming it. The caller must ensure that its assumptions hold until the step is done.
import path from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { adoptPacks } from '../repository/adopt-packs.ts';
import { removeRefLog, writeRefLog } from '../repository/change-branches/ref-log.ts';
import type { DiskSteps, DiskWork, StepName } from '../repository/disk-work.ts';
import { keepCommit } from '../repository/moved-branch.ts';
import {
  install,
  putPacksAside,
  putPacksBack,
  releasePack,
  removePacks,
  removePacksAside,
} from '../repository/pack-files.ts';
import { createBranch, retryMissingFolder } from '../repository/refs.ts';
import { removeLock } from '../repository/remove-lock.ts';
import { unflattenBatch } from './flat-batch.ts';
import { createPacker } from './packer.ts';

const toPacks = (repository: string): string => path.join(repository, 'objects', 'pack');

type Steps = {
  [N in StepName]: (disk: Disk, repository: string, ...args: Parameters<DiskSteps[N]>) => ReturnType<DiskSteps[N]>;
};

const STEPS: Steps = {
  moveRef: (disk, repository, ref, from, to) =>
    retryMissingFolder(() => createBranch(disk, repository, ref).move(from, to)),
  removeRef: (disk, repository, ref, from) =>
    retryMissingFolder(() => createBranch(disk, repository, ref).remove(from)),
  writeRefLog: (disk, repository, ref, line) => retryMissingFolder(() => writeRefLog(disk, repository, ref, line)),
  removeRefLog,
  keepCommit,
  installPack: (disk, repository, name, pack, index) =>
    install(disk, toPacks(repository), name, [Buffer.from(pack)], Buffer.from(index)),
  pack: (disk, repository, batch) => createPacker(disk, toPacks(repository)).pack(unflattenBatch(batch)).name,
  adoptPacks: (disk, repository, from, names) => adoptPacks(disk, toPacks(repository), from, names),
  releasePacks(disk, repository, names) {
    for (const name of names) releasePack(disk, toPacks(repository), name);
  },
  makeFolderAmong(disk, _repository, folder, above, stays) {
    for (const name of disk.list(above)) if (!stays.includes(name)) disk.removeFolder(path.join(above, name));
    disk.makeScratchFolder(folder);
  },
  removePacks: (disk, repository, names) => removePacks(disk, toPacks(repository), names),
  putPacksAside: (disk, repository, names) => putPacksAside(disk, toPacks(repository), names),
  putPacksBack: (disk, repository, names) => putPacksBack(disk, toPacks(repository), names),
  removePacksAside: (disk, repository, names) => removePacksAside(disk, toPacks(repository), names),
  removeLock,
  linkFile(disk, _repository, from, to) {
    disk.makeScratchFolder(path.dirname(to));
    disk.link(from, to);
    return disk.stat(to)?.size ?? 0;
  },
  removeFolder: (disk, _repository, folder) => disk.removeFolder(folder),
};

/** A step as it is sent to the thread. */
export interface DiskStep {
  name: StepName;
  args: unknown[];
}

export function runStep(disk: Disk, repository: string, { name, args }: DiskStep): unknown {
  return (STEPS[name] as (...all: unknown[]) => unknown)(disk, repository, ...args);
}

/** Runs steps in the calling thread: for tests that watch every disk operation, and for commands. */
export function createInlineWork(disk: Disk, repository: string): DiskWork {
  return async (name, ...args) => runStep(disk, repository, { name, args }) as never;
}
