// The path of bytes by their hash, and moving a file there durably.
import path from 'node:path';
import type { ByteFiles } from './open-byte-files.ts';

const SHA256 = /^[0-9a-f]{64}$/;

export function isHash(text: string): boolean {
  return SHA256.test(text);
}

/** Path of the bytes of a hash in a site's media folder, whether or not they exist. */
export function bytesPath(folder: string, sha256: string): string {
  if (!SHA256.test(sha256)) throw new Error(`"${sha256}" is not a SHA-256`);
  return path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

export interface BytePlaces {
  /** Moves a file to its place; durable once it resolves. @throws if the file's bytes do not have this hash. */
  place(file: string, sha256: string): Promise<void>;
  /** Makes existing bytes durable: the process that put them there may have been killed a moment later. */
  settle(sha256: string): Promise<void>;
}

/** `folder` is a site's media folder. */
export function createBytePlaces(folder: string, files: ByteFiles): BytePlaces {
  const pathOf = (sha256: string): string => bytesPath(folder, sha256);

  /** Checks the hash against the disk, whatever was counted on the way there: it becomes the file's permanent name. */
  async function expectHash(file: string, sha256: string): Promise<void> {
    const found = await files.hashOf(file);
    if (found !== sha256) throw new Error(`the file for ${sha256} has the bytes of ${found}`);
  }

  async function place(file: string, sha256: string): Promise<void> {
    await expectHash(file, sha256);
    const target = pathOf(sha256);
    await files.makeFolder(path.dirname(target));
    await files.syncFile(file);
    await files.rename(file, target);
    await syncFolders(target);
  }

  /** Syncs every folder above: a process may have been killed between making and syncing them. */
  async function syncFolders(file: string): Promise<void> {
    const shard = path.dirname(file);
    for (const above of [shard, path.dirname(shard), folder]) await files.syncFolder(above);
  }

  async function settle(sha256: string): Promise<void> {
    await files.syncFile(pathOf(sha256));
    await syncFolders(pathOf(sha256));
  }

  return { place, settle };
}
