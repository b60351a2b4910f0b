// Who may write the log, and what of it must be there. Each start begins an epoch: a file of its own in the repository,
// made before the write-ahead log is read. A process that finds the file of a later epoch, or its own gone, acknowledges
// nothing more: the lock on the data folder may be deleted under it, a later epoch is seen all the same.
//
// The file also declares which segments of the write-ahead log hold what the branch may not have, so that a start notices
// one that is lost. It is in the repository, and not beside the segments, because one without the other says nothing.
//
//   colophon.epochs/<epoch>   {"log": "<id>", "oldest": <segment>, "newest": <segment>}; null where nothing must be there

import { webcrypto } from 'node:crypto';
import path from 'node:path';
import { isCode } from '../../../lib/error-code.ts';
import { isNoSpace, isShortage } from '../../../lib/shortage.ts';
import type { Disk } from '../../disk/disk.ts';
import { TEMPORARY_PREFIX } from '../../repository/pack-files.ts';

const FOLDER = 'colophon.epochs';

export interface Declared {
  /** Names the log, as its segments do: those of another site are not taken for ours. */
  log: string;
  oldest: number | null;
  newest: number | null;
}

export interface Epoch {
  /** 0 until it could be begun. */
  readonly number: number;
  /** What the last epoch declared; undefined for a new repository, one made by git, or by an earlier version. */
  readonly found: Declared | undefined;
  /** The file, for messages. */
  readonly file: string;
  /** Does nothing if the start could begin it. Throws where the disk is full. */
  begin(): void;
  /**
   * Durable once it resolves. One call at a time. Rejects with LogLostError if the epoch has ended, and then declares
   * nothing.
   */
  declare(declared: Declared): Promise<void>;
  /** Why nothing may be written or acknowledged any more. */
  lost(): string | undefined;
}

/** The log belongs to somebody else by now. What was written last may have been read by them, or may be gone. */
export class LogLostError extends Error {}

/** Another process makes the same next file at most so often in a row. */
const TRIES = 100;

/** Begins the next epoch. A full disk is no reason not to serve: `begin` tries again before the first write. */
export function openEpoch(disk: Disk, repository: string): Epoch {
  const folder = path.join(repository, FOLDER);
  const names = epochNames(disk, folder);
  let declared = readDeclared(disk, repository);
  const found = declared;
  let number = 0;
  let file = path.join(folder, toName(Number(names.at(-1) ?? 0) + 1));
  let identity = '';
  /** Of the one that is taking its place. */
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
        return `${file} is not there any more, or another file: the data folder was moved, removed or restored under the running service`;
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

/** What the last process says must be there of the write-ahead log. */
export function readDeclared(disk: Disk, repository: string): Declared | undefined {
  const folder = path.join(repository, FOLDER);
  return epochNames(disk, folder)
    .flatMap((name) => parse(disk.readFile(path.join(folder, name))) ?? [])
    .at(-1);
}

function epochNames(disk: Disk, folder: string): string[] {
  return disk.list(folder).filter((name) => /^\d{8}$/.test(name));
}

/** Device and inode of what the name leads to now; empty for nothing. */
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

/** Undefined for a file that declares nothing, or that a crash left half-made. */
function parse(bytes: Buffer | undefined): Declared | undefined {
  const line = /^(\{.*\})\n$/.exec(bytes?.toString('latin1') ?? '')?.[1];
  return line === undefined ? undefined : (JSON.parse(line) as Declared);
}
