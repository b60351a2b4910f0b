// One audit trail on the disk: JSON lines, appended and synced. A full file gets a number, and a new one is
// started; the oldest is removed when the trail is too large or the file too old. The command line appends too while the
// service runs.
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { withFileLock } from '../data/file-lock.ts';
import { isCode } from '../lib/error-code.ts';
import { toStorageError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import type { AuditEntry } from './entry.ts';
import { type AuditFile, createScannedFiles } from './scanned-files.ts';

export interface AuditTrailParts {
  folder: string;
  /** The newest file is `<name>.jsonl`, older ones are `<name>.<number>.jsonl`. */
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
  /** Oldest first. The caller closes their handles. */
  openFiles(): Promise<AuditFile[]>;
}

/** The state of the newest file, valid until another process writes to it. */
interface Newest {
  version: string;
  ids: Set<string>;
  /** Time of its first entry. */
  begunAtMs: number | undefined;
}

/** Entries expire with their whole file: none holds more than this part of the age limit. */
const FILES_IN_AGE = 13;
const NEWLINE = 10;

export function openAuditTrail(parts: AuditTrailParts): AuditTrail {
  const { folder, name, now, maxBytes, maxAgeMs, fileBytes } = parts;
  const current = path.join(folder, `${name}.jsonl`);
  const numbered = new RegExp(`^${name}\\.(\\d{1,9})\\.jsonl$`);
  const appending = createInOrder();
  let newest: Newest | undefined;

  async function listNumbers(): Promise<number[]> {
    const names = await readdir(folder).catch((error) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    return names
      .flatMap((one) => numbered.exec(one)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  const pathOf = (number: number): string => path.join(folder, `${name}.${number}.jsonl`);

  /** Reads the newest file if another process has written to it, and truncates a line that a crash left torn. */
  async function learn(): Promise<Newest> {
    const version = await versionOf(current);
    if (newest?.version === version) return newest;
    const ids = new Set<string>();
    let begunAtMs: number | undefined;
    if (version !== '') {
      await withFile(current, 'r+', async (handle) => {
        const bytes = await handle.readFile();
        const whole = bytes.lastIndexOf(NEWLINE) + 1;
        for (const [, id = '', at = ''] of bytes
          .toString('utf8', 0, whole)
          .matchAll(/^\{"id":"([^"]*)","at":"([^"]*)"/gm)) {
          ids.add(id);
          begunAtMs ??= Date.parse(at);
        }
        if (whole < bytes.length) await handle.truncate(whole);
      });
    }
    return { version: await versionOf(current), ids, begunAtMs };
  }

  async function write(entries: readonly AuditEntry[]): Promise<void> {
    newest = await learn();
    const fresh = entries.filter(({ id }) => !newest?.ids.has(id));
    if (entries.length === 0) return;
    if (fresh.length === 0) {
      // Appended again after a kill: the first process may not have synced them.
      await withFile(current, 'r+', (handle) => handle.sync());
      await syncFolder(folder);
      return;
    }
    const bytes = Buffer.from(fresh.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    if (await isFull(newest, bytes.length)) newest = await rotate();
    const { ids, begunAtMs = now().getTime() } = newest;
    // Unknown until the append has succeeded.
    newest = undefined;
    await appendDurably(current, bytes);
    await syncFolder(folder);
    for (const { id } of fresh) ids.add(id);
    newest = { version: await versionOf(current), ids, begunAtMs };
  }

  async function isFull({ begunAtMs }: Newest, moreBytes: number): Promise<boolean> {
    const sizeBytes = (await statIfThere(current))?.size ?? 0;
    if (sizeBytes === 0) return false;
    return sizeBytes + moreBytes > fileBytes || Math.abs(now().getTime() - (begunAtMs ?? 0)) > maxAgeMs / FILES_IN_AGE;
  }

  async function rotate(): Promise<Newest> {
    const numbers = await listNumbers();
    const next = (numbers.at(-1) ?? 0) + 1;
    await rename(current, pathOf(next));
    await prune([...numbers, next]);
    return { version: '', ids: new Set(), begunAtMs: undefined };
  }

  /** Removes the oldest files first; the total includes space for the newest file. */
  async function prune(numbers: readonly number[]): Promise<void> {
    const files = await Promise.all(
      numbers.map(async (number) => ({ number, stats: await statIfThere(pathOf(number)) })),
    );
    // At most one because of its age: a clock that is ahead by a year must not remove the whole trail.
    let oldOnes = 1;
    let totalBytes = files.reduce((total, { stats }) => total + (stats?.size ?? 0), fileBytes);
    for (const { number, stats } of files) {
      const isOld = stats !== undefined && now().getTime() - stats.mtimeMs > maxAgeMs;
      if (totalBytes <= maxBytes && !(isOld && oldOnes-- > 0)) return;
      await rm(pathOf(number), { force: true });
      totalBytes -= stats?.size ?? 0;
    }
  }

  return {
    async append(entries) {
      try {
        await appending(async () => {
          // Asynchronous, because the disk may hang.
          await makeDurably(folder);
          await withFileLock(`${current}.lock`, () => write(entries));
        });
      } catch (error) {
        throw toStorageError(error);
      }
    },
    openFiles: createScannedFiles(async () => [...(await listNumbers()).map(pathOf), current]),
  };
}

async function versionOf(file: string): Promise<string> {
  const stats = await statIfThere(file);
  return stats ? `${stats.ino}:${stats.size}` : '';
}

async function statIfThere(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function appendDurably(file: string, bytes: Buffer): Promise<void> {
  await withFile(file, 'a', async (handle) => {
    const { size } = await handle.stat();
    try {
      await handle.appendFile(bytes);
      await handle.sync();
    } catch (error) {
      await handle.truncate(size);
      throw error;
    }
  });
}

async function withFile(file: string, flags: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}
