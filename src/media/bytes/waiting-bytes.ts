// Bytes that arrived before the commit that will name them (Git LFS sends them first). A mark in `waiting` names each;
// a commit removes it, and bytes whose mark is a day old without a commit are removed with it.
import path from 'node:path';
import { toStorageError } from '../../lib/errors.ts';
import { isHash } from './byte-places.ts';
import type { ByteFiles } from './open-byte-files.ts';

export interface WaitingBytes {
  /** Stores bytes, marked; bytes that are there and marked get another day. @throws as `steps` do. */
  keep(sha256: string, steps: KeepSteps): Promise<void>;
  /** Removes the mark durably; call it before the commit takes effect: bytes are kept rather than lost. */
  unmark(sha256: string): Promise<void>;
  /** Removes the bytes whose time is over; at most once an hour. */
  sweep(): Promise<void>;
}

export interface KeepSteps {
  expectWhole(): Promise<void>;
  isThere(): Promise<boolean>;
  /** Makes bytes durable that are there. */
  settle(): Promise<void>;
  place(): Promise<void>;
}

export interface WaitingBytesParts {
  /** `<data>/sites/<id>/media`. */
  folder: string;
  files: Pick<ByteFiles, 'list' | 'changedMs' | 'makeFolder' | 'mark' | 'remove' | 'syncFolder'>;
  isNeeded(sha256: string): boolean;
  /** Path of the bytes. */
  pathOf(sha256: string): string;
  /** Runs while nothing else happens to these bytes. */
  alone<T>(sha256: string, run: () => Promise<T>): Promise<T>;
  nowMs(): number;
}

/** How long a commit may take: the push of a large history, or a pusher who fixes what was refused. */
export const WAITING_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;

export function createWaitingBytes({ folder, files, isNeeded, pathOf, alone, nowMs }: WaitingBytesParts): WaitingBytes {
  const waiting = path.join(folder, 'waiting');
  const markOf = (sha256: string): string => path.join(waiting, sha256);
  let sweptMs = Number.NEGATIVE_INFINITY;

  async function drop(sha256: string): Promise<void> {
    const changedMs = await files.changedMs(markOf(sha256));
    if (changedMs === undefined || nowMs() - changedMs < WAITING_MS) return;
    if (!isNeeded(sha256)) await files.remove(pathOf(sha256));
    await files.remove(markOf(sha256));
  }

  async function mark(sha256: string): Promise<void> {
    await files.makeFolder(waiting);
    // A mark that is written again would keep its time.
    await files.remove(markOf(sha256));
    await files.mark(markOf(sha256));
    await files.syncFolder(waiting);
  }

  async function keepAlone(sha256: string, steps: KeepSteps): Promise<void> {
    await steps.expectWhole();
    const isThere = await steps.isThere();
    // Bytes without a mark are named by a commit.
    if (!isThere || (await files.changedMs(markOf(sha256))) !== undefined) await mark(sha256);
    await (isThere ? steps.settle() : steps.place());
  }

  async function sweep(): Promise<void> {
    if (nowMs() - sweptMs < SWEEP_MS) return;
    sweptMs = nowMs();
    for (const name of await files.list(waiting)) if (isHash(name)) await alone(name, () => drop(name));
  }

  return {
    async keep(sha256, steps) {
      try {
        await sweep();
        await alone(sha256, () => keepAlone(sha256, steps));
      } catch (error) {
        throw toStorageError(error);
      }
    },
    async unmark(sha256) {
      if ((await files.changedMs(markOf(sha256))) === undefined) return;
      await files.remove(markOf(sha256));
      await files.syncFolder(waiting);
    },
    sweep,
  };
}
