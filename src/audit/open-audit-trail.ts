// One audit trail on the disk: JSON lines, chained by hash, appended and synced. A full file gets a number, and a new one
// is started; the oldest is removed when the trail is too large or the file too old, and never with an entry of the last
// 90 days in it. The command line appends too while the service runs.
import { rename } from 'node:fs/promises';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { withFileLock } from '../data/file-lock.ts';
import { isStorageFull, toStorageError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { hashOfLine, lastLine, linkOf, moveLast, readEnds, replaceEnds } from './chain.ts';
import type { AuditEntry } from './entry.ts';
import { learnNewest, type Newest, versionOf } from './newest-file.ts';
import { type AuditFile, closeFiles, createScannedFiles } from './scanned-files.ts';
import { appendDurably, createTrailFiles, statIfThere, withFile } from './trail-files.ts';
import { choosePruned, prune } from './trail-pruning.ts';
import { checkSpace, measure } from './trail-space.ts';
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

/** Entries expire with their whole file: none holds more than this part of the age limit. */
const FILES_IN_AGE = 13;
/** Files' worth of space for changes that must not wait. */
const RESERVED_FILES = 2;

export function openAuditTrail(parts: AuditTrailParts): AuditTrail {
  const { folder, now, maxBytes, maxAgeMs, fileBytes } = parts;
  const files = createTrailFiles(folder, parts.name);
  const { current, lock, chain, listNumbers, pathOf } = files;
  const appending = createInOrder();
  const openFiles = createScannedFiles(files.listPaths);
  let newest: Newest | undefined;

  async function write(entries: readonly AuditEntry[]): Promise<void> {
    newest = await learnNewest(files, newest);
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

  /** Before the first line that has a link; if the file was removed since then, it stays missing. */
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
      const pruned = choosePruned(opened, { current, nowMs: now().getTime(), maxBytes, maxAgeMs, fileBytes });
      const next = ((await listNumbers()).at(-1) ?? 0) + 1;
      await rename(current, pathOf(next));
      if (pruned.length > 0) await prune(pruned, { chain, kept: opened[pruned.length], last });
    } finally {
      await closeFiles(opened);
    }
    return { version: '', ids: new Set(), begunAtMs: undefined, last, isNamed: false };
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
