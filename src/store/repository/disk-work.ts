// The interface of the steps on the repository's files that wait for the disk. packs/disk-work.ts has the steps, which
// a thread runs one after another.
import type { Oid } from '../git/objects.ts';
import type { MoveOutcome } from './refs.ts';

/** The arguments of a step are copied to the thread, and its result is copied back. */
export interface DiskSteps {
  moveRef(ref: string, from: Oid | null, to: Oid): MoveOutcome;
  /** `changed` if the ref is not at `from`, if that is given. */
  removeRef(ref: string, from?: Oid): 'removed' | 'changed' | 'locked';
  writeRefLog(ref: string, line: string): void;
  removeRefLog(ref: string): void;
  keepCommit(commit: Oid): void;
  installPack(name: string, pack: Uint8Array, index: Uint8Array): void;
  /** Writes the batch as a separate pack; returns the pack's name. */
  pack(batch: FlatBatch): string;
  adoptPacks(from: string, names: readonly string[]): void;
  releasePacks(names: readonly string[]): void;
  /**
   * Makes a scratch folder somewhere in `above`, and removes everything else from `above` except the names in `stays`.
   */
  makeFolderAmong(folder: string, above: string, stays: readonly string[]): void;
  removePacks(names: readonly string[]): void;
  putPacksAside(names: readonly string[]): void;
  putPacksBack(names: readonly string[]): void;
  removePacksAside(names: readonly string[]): void;
  removeLock(file: string, identity: string): boolean;
  /** Gives a file a second name, in a scratch folder; returns the file's size. */
  linkFile(from: string, to: string): number;
  removeFolder(folder: string): void;
}

/** A batch of commits as it is sent to a thread: one JSON text and one transferred buffer (packs/flat-batch.ts). */
export interface FlatBatch {
  shape: string;
  bytes: Uint8Array;
}

export type StepName = keyof DiskSteps;

/** Resolves when the step is done. Rejects with the code and message of its error, but not the error's class. */
export type DiskWork = <N extends StepName>(
  name: N,
  ...args: Parameters<DiskSteps[N]>
) => Promise<ReturnType<DiskSteps[N]>>;
