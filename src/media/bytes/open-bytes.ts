// The bytes of a site's media, by their SHA-256: `media/ab/cd/<sha256>`. What is there is whole and synced. Bytes stay for
// good once a commit has named them, because history and backups need them; what never came to a commit goes.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import { bytesPath, createBytePlaces, isHash } from './byte-places.ts';
import { type ByteFiles, nodeByteFiles } from './open-byte-files.ts';

/** A file in a folder of `receive`, as who brought it counted it. */
export interface ArrivedFile {
  path: string;
  sha256: string;
  sizeBytes: number;
}

export interface MediaBytes {
  /** Where the bytes are, or would be. */
  pathOf(sha256: string): string;
  has(sha256: string): Promise<boolean>;
  /** Size in bytes; undefined where they are not there. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** An empty folder on the same file system, for what is on its way in. Whatever is in it then goes with `end`. */
  receive(): Promise<{ folder: string; end(): Promise<void> }>;
  /** @throws `storage_full` where the disk has less of a file than was counted: a full one may not have said so. */
  expectWhole(file: Pick<ArrivedFile, 'path' | 'sizeBytes'>): Promise<void>;
  /**
   * Takes a file of `receive` in, runs `commit`, and answers with it. Where `commit` throws and nobody else has the
   * bytes (`isNeeded`), they go again. One at a time for the same bytes. @throws where the disk has other bytes.
   */
  adopt<T>(file: ArrivedFile, commit: () => Promise<T>): Promise<T>;
  /** Runs while nobody adopts these bytes. */
  alone<T>(sha256: string, run: () => Promise<T>): Promise<T>;
  /** Puts bytes back that a commit names. @throws where they are not those. */
  restore(sha256: string, source: AsyncIterable<Buffer>): Promise<void>;
}

export interface BytesParts {
  /** `<data>/sites/<id>/media`. */
  folder: string;
  /** Whether the newest accepted state has a file of these bytes. */
  isNeeded(sha256: string): boolean;
  files?: ByteFiles;
  /** Of what is under way. */
  newName?: () => string;
}

const INCOMING = 'incoming';

/** Removes what a crash left of uploads: bytes that came to no commit, which the marks in `incoming` name. */
export async function openBytes({
  folder,
  isNeeded,
  files = nodeByteFiles,
  newName = () => randomBytes(12).toString('hex'),
}: BytesParts): Promise<MediaBytes> {
  const incoming = path.join(folder, INCOMING);
  const { place, settle } = createBytePlaces(folder, files);
  const busy = new Map<string, Promise<unknown>>();
  /** Resolves once the folders are there for good. */
  let made: Promise<void> | undefined;

  const pathOf = (sha256: string): string => bytesPath(folder, sha256);

  const sizeOf = (sha256: string): Promise<number | undefined> => files.sizeOf(pathOf(sha256));
  await sweep();

  async function sweep(): Promise<void> {
    for (const name of await files.list(incoming)) {
      if (isHash(name) && !isNeeded(name)) await files.remove(pathOf(name));
      await files.remove(path.join(incoming, name));
    }
  }

  async function makeFolders(): Promise<void> {
    await files.makeFolder(incoming);
    // A process that was killed may have made them and not come to sync them.
    for (const above of [path.dirname(folder), folder]) await files.syncFolder(above);
  }

  function prepare(): Promise<void> {
    made ??= makeFolders().catch((error) => {
      made = undefined;
      throw toStorageError(error);
    });
    return made;
  }

  async function alone<T>(sha256: string, run: () => Promise<T>): Promise<T> {
    const running = (busy.get(sha256) ?? Promise.resolve()).then(run);
    const settled = running.catch(() => undefined); // who asked is told
    busy.set(sha256, settled);
    try {
      return await running;
    } finally {
      if (busy.get(sha256) === settled) busy.delete(sha256);
    }
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
          return commit();
        }
        // Tells the next start whose bytes these are, should this process not come to the end of it.
        const mark = path.join(incoming, sha256);
        try {
          await files.mark(mark);
          await place(file, sha256);
          const done = await commit();
          await files.remove(mark);
          // Or a power cut could bring the mark back, and the next start take away what has been deleted since.
          await files.syncFolder(incoming);
          return done;
        } catch (error) {
          if (!isNeeded(sha256)) await files.remove(pathOf(sha256));
          await files.remove(mark);
          throw toStorageError(error);
        }
      }),
    alone,
    restore: (sha256, source) =>
      alone(sha256, async () => {
        if ((await sizeOf(sha256)) !== undefined) {
          source[Symbol.asyncIterator]().return?.();
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
