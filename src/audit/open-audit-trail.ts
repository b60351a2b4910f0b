// One audit trail on the disk: JSON lines, chained by hash, appended and synced. A full file gets a number, and a new one
// is started; the oldest is removed when the trail is too large or the file too old, and never with an entry of the last
// 90 days in it. The command line appends too while the service runs.
import { readFile, rename, rm } from 'node:fs/promises';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { withFileLock } from '../data/file-lock.ts';
import { isStorageFull, toStorageError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { createTail, hashOfLine, lastLine, linkOf, moveLast, readEnds, replaceEnds, withoutTorn } from './chain.ts';
import type { AuditEntry } from './entry.ts';
import { type AuditFile, closeFiles, createScannedFiles } from './scanned-files.ts';
import { appendDurably, createTrailFiles, statIfThere, withFile } from './trail-files.ts';
import { checkSpace, isKept, measure } from './trail-space.ts';
import { type TrailCheck, verifyTrail } from './verify-trail.ts';

export interface AuditTrailParts {
  folder: string;
  name: string;
  now: () => Date;
  /** Limit for all files together. */
  maxBytes: number;
  maxAgeMs: number;
  /** Limit for one file. */
  fileBytes: number;
}

export interface AuditTrail {
  /** Durable once it resolves. An entry with an id that the newest file has is not added again. @throws storage_full */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Call it before a change. @throws too_many_requests if the user has taken too much of the last 90 days */
  checkSpace(change: { user: string | null; isUrgent: boolean }): Promise<void>;
  /** Oldest first. The caller closes their handles. */
  openFiles(): Promise<AuditFile[]>;
  /** Checks the chain, while others append. */
  verify(): Promise<TrailCheck>;
}

/** The state of the newest file, valid until another process writes to it. */
interface Newest {
  version: string;
  ids: Set<string>;
  /** Time of its first entry. */
  begunAtMs: number | undefined;
  /** The hash that the next line has of the line before it. */
  last: string;
  /** False until this process has synced the folder. */
  isNamed: boolean;
}

/** Entries expire with their whole file: none holds more than this part of the age limit. */
const FILES_IN_AGE = 13;
/** Files' worth of space for changes that must not wait. */
const RESERVED_FILES = 2;
const NEWLINE = 10;

export function openAuditTrail(parts: AuditTrailParts): AuditTrail {
  const { folder, now, maxBytes, maxAgeMs, fileBytes } = parts;
  const files = createTrailFiles(folder, parts.name);
  const { current, lock, chain, listNumbers, pathOf } = files;
  const appending = createInOrder();
  const openFiles = createScannedFiles(files.listPaths);
  let newest: Newest | undefined;

  /** Reads the newest file if another process has written to it, and truncates a line that a crash left torn. */
  async function learn(): Promise<Newest> {
    const version = await versionOf(current);
    if (newest?.version === version) return newest;
    const ids = new Set<string>();
    let begunAtMs: number | undefined;
    const ends = await readEnds(chain);
    const tail = createTail(await readOlder());
    if (version !== '') {
      await withFile(current, 'r+', async (handle) => {
        const bytes = await handle.readFile();
        const whole = withoutTorn(bytes, tail.last(), ends);
        for (const [, id = '', at = ''] of bytes
          .toString('utf8', 0, whole)
          .matchAll(/^\{"id":"([^"]*)","at":"([^"]*)"/gm)) {
          ids.add(id);
          begunAtMs ??= Date.parse(at);
        }
        tail.add(bytes.subarray(0, whole));
        if (whole < bytes.length) await handle.truncate(whole);
      });
    }
    return { version: await versionOf(current), ids, begunAtMs, last: tail.toLink(ends), isNamed: false };
  }

  /** The newest two files that have a number: one of them may have a single line, and the chain's end names two. */
  async function readOlder(): Promise<Buffer> {
    const numbers = (await listNumbers()).slice(-2);
    return Buffer.concat(await Promise.all(numbers.map((number) => readFile(pathOf(number)))));
  }

  async function write(entries: readonly AuditEntry[]): Promise<void> {
    newest = await learn();
    const fresh = entries.filter(({ id }) => !newest?.ids.has(id));
    if (entries.length === 0) return;
    if (fresh.length === 0) {
      // Appended again after a kill: the first process may not have synced them.
      await withFile(current, 'r+', (handle) => handle.sync());
      await syncFolder(folder);
      await moveLast(chain, newest.last, newest.last);
      return;
    }
    await beginChain(newest.last);
    const lines = toLines(fresh, newest.last);
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    if (await isFull(newest, bytes.length)) newest = await rotate(newest.last);
    const { ids, begunAtMs = now().getTime(), isNamed, version, last: before } = newest;
    // Unknown until the append has succeeded.
    newest = undefined;
    await appendDurably(current, bytes);
    if (version === '' || !isNamed) await syncFolder(folder);
    const last = hashOfLine(lines.at(-1) ?? '');
    await moveLast(chain, before, last);
    for (const { id } of fresh) ids.add(id);
    newest = { version: await versionOf(current), ids, begunAtMs, last, isNamed: true };
  }

  /** Before the first line that has a link; a file that somebody has removed since then stays missing. */
  async function beginChain(last: string): Promise<void> {
    if ((await readEnds(chain)) !== undefined || (await isChained())) return;
    await replaceEnds(chain, { first: last, last: [last, last] });
  }

  async function isChained(): Promise<boolean> {
    for (const path of (await files.listPaths()).toReversed()) {
      let line: Buffer | undefined;
      if (await statIfThere(path)) {
        await withFile(path, 'r', async (handle) => void (line = lastLine(await handle.readFile())));
      }
      if (line) return linkOf(line) !== undefined;
    }
    return false;
  }

  async function isFull({ begunAtMs }: Newest, moreBytes: number): Promise<boolean> {
    const sizeBytes = Number((await statIfThere(current))?.size ?? 0);
    if (sizeBytes === 0) return false;
    return sizeBytes + moreBytes > fileBytes || Math.abs(now().getTime() - (begunAtMs ?? 0)) > maxAgeMs / FILES_IN_AGE;
  }

  async function rotate(last: string): Promise<Newest> {
    const opened = await openFiles();
    try {
      const pruned = choosePruned(opened);
      const next = ((await listNumbers()).at(-1) ?? 0) + 1;
      await rename(current, pathOf(next));
      if (pruned.length > 0) await prune(pruned, { kept: opened[pruned.length], last });
    } finally {
      await closeFiles(opened);
    }
    return { version: '', ids: new Set(), begunAtMs: undefined, last, isNamed: false };
  }

  /**
   * The oldest files first; the total includes space for the newest file. What must stay stays, even in a trail that is
   * too large: changes are refused before they fill it, but those of the command line are not.
   */
  function choosePruned(opened: readonly AuditFile[]): string[] {
    const nowMs = now().getTime();
    const pruned: string[] = [];
    // At most one because of its age: a clock that is ahead by a year must not remove the whole trail.
    let oldOnes = 1;
    let totalBytes = opened.reduce((total, { scanned }) => total + scanned.bytes, fileBytes);
    for (const { path, scanned } of opened) {
      const isOld = nowMs - scanned.newestMs > maxAgeMs;
      if (totalBytes <= maxBytes && !(isOld && oldOnes-- > 0)) break;
      if (path === current || isKept(scanned, nowMs)) break;
      pruned.push(path);
      totalBytes -= scanned.bytes;
    }
    return pruned;
  }

  /** The chain begins anew with the first line that stays, before the lines that it follows are gone. */
  async function prune(
    pruned: readonly string[],
    { kept, last }: { kept: AuditFile | undefined; last: string },
  ): Promise<void> {
    const ends = await readEnds(chain);
    const first = kept && (await firstLink(kept));
    if (typeof ends === 'object' && first !== undefined) await replaceEnds(chain, { first, last: [last, last] });
    for (const path of pruned) await rm(path, { force: true });
  }

  async function withLockIfPossible<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withFileLock(lock, work);
    } catch (error) {
      // A check only reads.
      if (isStorageFull(toStorageError(error))) return work();
      throw error;
    }
  }

  return {
    async append(entries) {
      try {
        await appending(async () => {
          // Asynchronous, because the disk may hang.
          await makeDurably(folder);
          await withFileLock(lock, () => write(entries));
        });
      } catch (error) {
        throw toStorageError(error);
      }
    },
    async checkSpace(change) {
      const opened = await openFiles();
      await closeFiles(opened);
      checkSpace(measure(opened, now().getTime()), change, { maxBytes, reservedBytes: RESERVED_FILES * fileBytes });
    },
    openFiles,
    async verify() {
      // A trail that does not exist is not made.
      if (!(await statIfThere(folder))) return { lines: 0, problem: undefined };
      return verifyTrail(files, withLockIfPossible);
    },
  };
}

function toLines(entries: readonly AuditEntry[], before: string): string[] {
  let prev = before;
  return entries.map((entry) => {
    const line = JSON.stringify({ ...entry, prev });
    prev = hashOfLine(line);
    return line;
  });
}

/** The link of the file's first line; undefined if an earlier version wrote it. */
async function firstLink({ handle }: AuditFile): Promise<string | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64 << 10), 0, 64 << 10, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
  return end < 0 ? undefined : linkOf(buffer.subarray(0, end));
}

/** The inode alone would name the next file too, once it is reused. */
async function versionOf(file: string): Promise<string> {
  const stats = await statIfThere(file);
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : '';
}
