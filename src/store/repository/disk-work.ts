// The steps on the repository's files that wait for the disk, as those who ask for one see them. packs/disk-work.ts has
// the steps themselves, which a thread takes one after another.
import type { Oid } from '../git/objects.ts';
import type { MoveOutcome } from './refs.ts';

/** The arguments of a step cross to the thread as copies, and so does what it returns. */
export interface DiskSteps {
  moveRef(ref: string, from: Oid | null, to: Oid): MoveOutcome;
  removeRef(ref: string): 'removed' | 'changed' | 'locked';
  keepCommit(commit: Oid): void;
  installPack(name: string, pack: Uint8Array, index: Uint8Array): void;
  /** Writes a pack of its own; returns its name. */
  pack(batch: FlatBatch): string;
  adoptPacks(from: string, names: readonly string[]): void;
  releasePacks(names: readonly string[]): void;
  /** Makes a folder of no use after a crash somewhere in `above`, of which nothing else stays but these names. */
  makeFolderAmong(folder: string, above: string, stays: readonly string[]): void;
  removePacks(names: readonly string[]): void;
  putPacksAside(names: readonly string[]): void;
  putPacksBack(names: readonly string[]): void;
  removePacksAside(names: readonly string[]): void;
  removeLock(file: string, identity: string): boolean;
  /** Gives a file a second name, in a folder of no use after a crash; returns the file's size. */
  linkFile(from: string, to: string): number;
  removeFolder(folder: string): void;
}

/** A batch of commits as it crosses to a thread: one JSON text, and one buffer that is handed over (packs/flat-batch.ts). */
export interface FlatBatch {
  shape: string;
  bytes: Uint8Array;
}

export type StepName = keyof DiskSteps;

/** Resolves once the step is done. Rejects with what it threw: code and message, but not the class of the error. */
export type DiskWork = <N extends StepName>(
  name: N,
  ...args: Parameters<DiskSteps[N]>
) => Promise<ReturnType<DiskSteps[N]>>;
