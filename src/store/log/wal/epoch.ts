// Who may write the log, and which of its segments must exist. Each start begins an epoch: a file of its own in the
// repository, made before the write-ahead log is read. A process that finds the file of a later epoch, or its own gone,
// acknowledges nothing more: even if the lock on the data folder is deleted under it, it sees the later epoch.
//
// The file also declares which segments of the write-ahead log hold what the branch may lack, so that a start notices a
// lost one. It is in the repository, and not beside the segments, because neither says anything without the other.
//
//   colophon.epochs/<epoch>   {"log": "<id>", "oldest": <segment>, "newest": <segment>}; null if none must exist

import { webcrypto } from 'node:crypto';
import path from 'node:path';
import { isCode } from '../../../lib/error-code.ts';
import { isNoSpace, isShortage } from '../../../lib/shortage.ts';
import type { Disk } from '../../disk/disk.ts';
import { TEMPORARY_PREFIX } from '../../repository/pack-files.ts';

const FOLDER = 'colophon.epochs';

export interface Declared {
  /** Names the log, as its segments do: those of another site are not mistaken for ours. */
  log: string;
  oldest: number | null;
  newest: number | null;
}

export interface Epoch {
  /** 0 until the epoch has begun. */
  readonly number: number;
  /** What the last epoch declared; undefined for a new repository, or one made by git or by an earlier version. */
  readonly found: Declared | undefined;
  /** The file, for messages. */
  readonly file: string;
  /** Does nothing if the epoch has begun already. Throws if the disk is full. */
  begin(): void;
  /**
   * Declares which segments must exist; durable once it resolves. One call at a time. Rejects with LogLostError if the
   * epoch has ended, and then declares nothing.
   */
  declare(declared: Declared): Promise<void>;
  /** Why nothing may be written or acknowledged any more. */
  lost(): string | undefined;
}

/** Another process owns the log; it may have read the last frame, or that frame may be lost. */
export class LogLostError extends Error {}

/** How often in a row another process may make the same next file first. */
const TRIES = 100;

/** Begins the next epoch. A full disk does not stop a start: `begin` tries again before the first write. */
export function openEpoch(disk: Disk, repository: string): Epoch {
  const folder = path.join(repository, FOLDER);
  const names = epochNames(disk, folder);
  let declared = readDeclared(disk, repository);
  const found = declared;
  let number = 0;
  let file = path.join(folder, toName(Number(names.at(-1) ?? 0) + 1));
  let identity = '';
  /** The identity of the file that is about to replace it. */
  let replacing = '';

  function begin(): void {
    if (number > 0) return;
    disk.makeFolder(folder);
    let next = 0;
    for (let tries = 0; next === 0; tries++) {
      const last = epochNames(disk, folder).at(-1);
      file = path.join(folder, toName(Number(last ?? 0) + 1));
      try {
        disk.createFile(file, [encode(declared)]);
        next = Number(last ?? 0) + 1;
      } catch (error) {
        if (!isCode(error, 'EEXIST') || tries === TRIES) throw error;
      }
    }
    disk.syncFolder(folder);
    identity = replacing = fileIdentityOf(disk, file);
    number = next;
    for (const name of disk.list(folder)) if (name !== toName(number)) disk.remove(path.join(folder, name));
  }

  const epoch: Epoch = {
    get number() {
      return number;
    },
    found,
    get file() {
      return file;
    },
    begin,
    async declare(next) {
      const temporary = path.join(folder, `${TEMPORARY_PREFIX}epoch_${toName(number)}`);
      await disk.removeApart(temporary);
      await disk.createLargeFile(temporary, [encode(next)], 0o644);
      const why = epoch.lost();
      if (why) throw new LogLostError(why);
      replacing = fileIdentityOf(disk, temporary);
      await disk.renameApart(temporary, file);
      identity = replacing;
      declared = next;
      await disk.syncFolderApart(folder);
    },
    lost() {
      if (number === 0) return undefined;
      if (disk.stat(path.join(folder, toName(number + 1))))
        return `another process has begun to write the content repository (${path.join(folder, toName(number + 1))})`;
      if (![identity, replacing].includes(fileIdentityOf(disk, file)))
        return `${file} is gone or was replaced: the data folder was moved, removed or restored while the service was running`;
      return undefined;
    },
  };
  try {
    begin();
  } catch (error) {
    if (!isNoSpace(error) && !isShortage(error)) throw error;
  }
  return epoch;
}

/** Which segments of the write-ahead log must exist, as the last process declared. */
export function readDeclared(disk: Disk, repository: string): Declared | undefined {
  const folder = path.join(repository, FOLDER);
  return epochNames(disk, folder)
    .flatMap((name) => parse(disk.readFile(path.join(folder, name))) ?? [])
    .at(-1);
}

function epochNames(disk: Disk, folder: string): string[] {
  return disk.list(folder).filter((name) => /^\d{8}$/.test(name));
}

/** Device and inode of the file that the name leads to now; empty if it leads to no file. */
export function fileIdentityOf(disk: Disk, file: string): string {
  const about = disk.stat(file);
  return about ? `${about.dev}:${about.ino}` : '';
}

export function newLogId(): string {
  return Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex');
}

function toName(number: number): string {
  return String(number).padStart(8, '0');
}

function encode(declared: Declared | undefined): Buffer {
  return Buffer.from(declared ? `${JSON.stringify(declared)}\n` : '\n');
}

/** Returns undefined for a file that declares nothing, or that a crash left half-written. */
function parse(bytes: Buffer | undefined): Declared | undefined {
  const line = /^(\{.*\})\n$/.exec(bytes?.toString('latin1') ?? '')?.[1];
  return line === undefined ? undefined : (JSON.parse(line) as Declared);
}
