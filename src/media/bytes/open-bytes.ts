// The bytes of a site's media, by their SHA-256: `media/ab/cd/<sha256>`. Every file there is whole and synced. Bytes
// stay for good once a commit names them, because history and backups need them; bytes without a commit are removed.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import { createInOrderByKey } from '../../lib/queues/in-order-by-key.ts';
import { bytesPath, createBytePlaces, isHash } from './byte-places.ts';
import { type ByteFiles, nodeByteFiles } from './open-byte-files.ts';
import { createUnnamedBytes, type FindNamed, type SweptBytes } from './unnamed-bytes.ts';
import { createWaitingBytes } from './waiting-bytes.ts';

/** A file in a folder of `receive`, with the hash and size that were counted on its way in. */
export interface ArrivedFile {
  path: string;
  sha256: string;
  sizeBytes: number;
}

export interface MediaBytes {
  /** Path of the bytes, whether or not they exist. */
  pathOf(sha256: string): string;
  has(sha256: string): Promise<boolean>;
  /** Size in bytes; undefined if they do not exist. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Makes an empty folder on the same file system for incoming files. `end` removes it with whatever is left in it. */
  receive(): Promise<{ folder: string; end(): Promise<void> }>;
  /** @throws `storage_full` if the disk has less of a file than was counted: a full disk may have reported no error. */
  expectWhole(file: Pick<ArrivedFile, 'path' | 'sizeBytes'>): Promise<void>;
  /**
   * Stores a file of `receive`, runs `commit` and returns its result. If `commit` throws and no other file has the
   * bytes (`isNeeded`), removes them again. One at a time for the same bytes. @throws if the disk has other bytes.
   */
  adopt<T>(file: ArrivedFile, commit: () => Promise<T>): Promise<T>;
  /** Stores a file of `receive` that a commit of the next 24 hours will name. @throws if the disk has other bytes. */
  keep(file: ArrivedFile): Promise<void>;
  /** Notes that a commit of the next 24 hours will name these bytes: until then they stay, if they exist. */
  noteNamed(sha256: string): Promise<void>;
  /** Removes the bytes of more than a day ago that neither the newest state nor a commit names. */
  sweepUnnamed(find: FindNamed): Promise<SweptBytes>;
  /** Calls `run` while no `adopt` or `restore` of these bytes is running. */
  alone<T>(sha256: string, run: () => Promise<T>): Promise<T>;
  /** Stores bytes that a commit names, unless they exist. @throws if `source` has other bytes. */
  restore(sha256: string, source: AsyncIterable<Buffer>): Promise<void>;
}

export interface BytesParts {
  /** `<data>/sites/<id>/media`. */
  folder: string;
  /** Whether the newest accepted state has a file of these bytes. */
  isNeeded(sha256: string): boolean;
  files?: ByteFiles;
  /** The clock that files are dated by. */
  nowMs?: () => number;
  /** Names for files and folders in `incoming`. */
  newName?: () => string;
}

const INCOMING = 'incoming';

/** Removes what uploads left behind at a crash: bytes without a commit, which the marks in `incoming` name. */
export async function openBytes({
  folder,
  isNeeded,
  files = nodeByteFiles,
  nowMs = Date.now,
  newName = () => randomBytes(12).toString('hex'),
}: BytesParts): Promise<MediaBytes> {
  const incoming = path.join(folder, INCOMING);
  const { place, settle } = createBytePlaces(folder, files);
  /** Keys are hashes. */
  const alone = createInOrderByKey();
  /** Resolves once the folders are durable. */
  let made: Promise<void> | undefined;

  const pathOf = (sha256: string): string => bytesPath(folder, sha256);

  const sizeOf = (sha256: string): Promise<number | undefined> => files.sizeOf(pathOf(sha256));
  const waiting = createWaitingBytes({ folder, files, alone, nowMs });
  const unnamed = createUnnamedBytes({ folder, files, waiting, isNeeded, pathOf, alone, nowMs });
  await sweep();

  async function sweep(): Promise<void> {
    for (const name of await files.list(incoming)) {
      if (isHash(name) && !isNeeded(name)) await files.remove(pathOf(name));
      await files.remove(path.join(incoming, name));
    }
  }

  async function makeFolders(): Promise<void> {
    await files.makeFolder(incoming);
    // A process may have been killed between making and syncing them.
    for (const above of [path.dirname(folder), folder]) await files.syncFolder(above);
  }

  function prepare(): Promise<void> {
    made ??= makeFolders().catch((error) => {
      made = undefined;
      throw toStorageError(error);
    });
    return made;
  }

  const expectWhole: MediaBytes['expectWhole'] = async ({ path: file, sizeBytes }) => {
    const found = (await files.sizeOf(file)) ?? 0;
    if (found >= sizeBytes) return;
    throw new ServiceError(
      'storage_full',
      `the disk has kept ${found} of ${sizeBytes} bytes; free space and try again`,
    );
  };

  return {
    pathOf,
    sizeOf,
    has: async (sha256) => (await sizeOf(sha256)) !== undefined,
    async receive() {
      await prepare();
      const own = path.join(incoming, newName());
      await files.makeScratchFolder(own).catch((error) => {
        throw toStorageError(error);
      });
      return { folder: own, end: () => files.remove(own) };
    },
    expectWhole,
    adopt: ({ path: file, sha256, sizeBytes }, commit) =>
      alone(sha256, async () => {
        await expectWhole({ path: file, sizeBytes });
        if ((await sizeOf(sha256)) === sizeBytes) {
          await settle(sha256);
          await waiting.unmark(sha256);
          return commit();
        }
        // Names the bytes to the next start, in case this process is killed before it removes the mark.
        const mark = path.join(incoming, sha256);
        try {
          await files.mark(mark);
          await place(file, sha256);
          const done = await commit();
          await files.remove(mark);
          // Otherwise a power cut could bring the mark back, and the next start would remove the bytes of a file that
          // has been deleted since.
          await files.syncFolder(incoming);
          return done;
        } catch (error) {
          if (!isNeeded(sha256)) await files.remove(pathOf(sha256));
          await files.remove(mark);
          throw toStorageError(error);
        }
      }),
    alone,
    keep: (file) =>
      waiting.keep(file.sha256, {
        expectWhole: () => expectWhole(file),
        isThere: async () => (await sizeOf(file.sha256)) === file.sizeBytes,
        settle: () => settle(file.sha256),
        place: () => place(file.path, file.sha256),
      }),
    noteNamed: unnamed.noteNamed,
    sweepUnnamed: unnamed.sweep,
    restore: (sha256, source) =>
      alone(sha256, async () => {
        if ((await sizeOf(sha256)) !== undefined) {
          source[Symbol.asyncIterator]().return?.();
          if (!isNeeded(sha256)) await waiting.renew(sha256);
          return settle(sha256);
        }
        await prepare();
        const file = path.join(incoming, newName());
        try {
          await pipeline(source, createWriteStream(file, { flags: 'wx' }));
          await place(file, sha256);
        } catch (error) {
          throw toStorageError(error);
        } finally {
          await files.remove(file);
        }
      }),
  };
}
