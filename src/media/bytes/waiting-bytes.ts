// Bytes that arrived before the commit that will name them (Git LFS sends them first), and bytes that commits of a push
// name: a mark in `waiting` keeps each for a day. By then a commit names them, or they go (unnamed-bytes.ts).
import path from 'node:path';
import { toStorageError } from '../../lib/errors.ts';
import { isHash } from './byte-places.ts';
import type { ByteFiles } from './open-byte-files.ts';

export interface WaitingBytes {
  /** Stores bytes, marked; bytes that are there and marked get another day. @throws as `steps` do. */
  keep(sha256: string, steps: KeepSteps): Promise<void>;
  /** Gives bytes another day: a commit is about to name them. Durable when it resolves. */
  renew(sha256: string): Promise<void>;
  /** Removes the mark durably. */
  unmark(sha256: string): Promise<void>;
  /** The hashes that are marked. */
  list(): Promise<string[]>;
  /** When the bytes were marked last, since 1970; undefined if they are not. */
  markedMs(sha256: string): Promise<number | undefined>;
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
  /** Runs while nothing else happens to these bytes. */
  alone<T>(sha256: string, run: () => Promise<T>): Promise<T>;
  nowMs(): number;
}

/** How long a commit may take: the push of a large history, or a pusher who fixes what was refused. */
export const WAITING_MS = 24 * 60 * 60_000;
/** A mark that is younger is not written again. */
const FRESH_MS = 60 * 60_000;

export function createWaitingBytes({ folder, files, alone, nowMs }: WaitingBytesParts): WaitingBytes {
  const waiting = path.join(folder, 'waiting');
  const markOf = (sha256: string): string => path.join(waiting, sha256);
  const markedMs = (sha256: string): Promise<number | undefined> => files.changedMs(markOf(sha256));

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
    await mark(sha256);
    await (isThere ? steps.settle() : steps.place());
  }

  return {
    async keep(sha256, steps) {
      try {
        await alone(sha256, () => keepAlone(sha256, steps));
      } catch (error) {
        throw toStorageError(error);
      }
    },
    async renew(sha256) {
      const ms = await markedMs(sha256);
      if (ms === undefined || nowMs() - ms > FRESH_MS) await mark(sha256);
    },
    async unmark(sha256) {
      if ((await markedMs(sha256)) === undefined) return;
      await files.remove(markOf(sha256));
      await files.syncFolder(waiting);
    },
    list: async () => (await files.list(waiting)).filter(isHash),
    markedMs,
  };
}
