// The audit where it is kept: JSON lines in the data folder, appended and synced, in two files of bounded size. The command
// line appends too while the service runs. It is in no backup: what was done with a machine's users stays with them.

import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { syncFolder } from '../data/durable.ts';
import { withFileLock } from '../data/file-lock.ts';
import { ServiceError } from '../lib/errors.ts';
import { createInOrder } from '../lib/in-order.ts';
import { type Audit, AuditEntry } from './audit-entry.ts';

const FILE = 'audit.jsonl';
/** The file before; one more, and the oldest entries are gone. */
const OLDER_FILE = 'audit.1.jsonl';
/** Some 5,000 entries a file. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Values longer than this say nothing more to whoever reads them in a list. */
const MAX_TEXT = 1000;
/** Lines that are parsed before others get their turn. */
const SLICE = 500;

export interface AuditParts {
  /** The data folder. */
  folder: string;
  now: () => Date;
  newId: () => string;
  maxBytes?: number;
}

interface Read {
  version: string;
  /** Newest first. */
  entries: AuditEntry[];
}

export function createAudit({ folder, now, newId, maxBytes = MAX_BYTES }: AuditParts): Audit {
  const current = path.join(folder, FILE);
  const older = path.join(folder, OLDER_FILE);
  const inOrder = createInOrder();
  let kept: Read | undefined;

  async function write(entries: readonly AuditEntry[]): Promise<void> {
    const known = new Set((await readEntries(current)).map(({ id }) => id));
    const fresh = entries.filter(({ id }) => !known.has(id));
    if (entries.length === 0) return;
    if (fresh.length === 0) {
      // Told again behind a kill: whoever wrote them may not have come to sync them.
      await withFile(current, 'r+', (handle) => handle.sync());
      await syncFolder(folder);
      return;
    }
    const bytes = Buffer.from(fresh.map((entry) => `${JSON.stringify(shorten(entry))}\n`).join(''));
    const sizeBytes = await cutTornLine(current);
    if (sizeBytes > 0 && sizeBytes + bytes.length > maxBytes) await rename(current, older);
    await appendDurably(current, bytes);
    await syncFolder(folder);
  }

  async function append(entries: readonly AuditEntry[]): Promise<void> {
    try {
      await inOrder(() => withFileLock(`${current}.lock`, () => write(entries)));
    } catch (error) {
      if (!isCode(error, 'ENOSPC', 'EDQUOT')) throw error;
      throw new ServiceError('storage_full', 'the disk is full', { cause: error });
    }
  }

  const toEntry: Audit['toEntry'] = (entry) => ({ id: newId(), at: now().toISOString(), ...entry });

  async function read(): Promise<AuditEntry[]> {
    const version = `${await versionOf(older)} ${await versionOf(current)}`;
    if (kept?.version === version) return kept.entries;
    const entries = [...(await readEntries(older)), ...(await readEntries(current))].reverse();
    kept = { version, entries };
    return entries;
  }

  return {
    append,
    record: (entry) => append([toEntry(entry)]),
    toEntry,
    async list({ isWanted, limit, offset }) {
      const wanted = (await read()).filter(isWanted);
      return { entries: wanted.slice(offset, offset + limit), total: wanted.length };
    },
  };
}

/** Oldest first. A line that is none, as a crash leaves it, is left out. */
async function readEntries(file: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  const lines = (await readText(file)).split('\n');
  for (const [index, line] of lines.entries()) {
    if (index % SLICE === SLICE - 1) await turn();
    const parsed = AuditEntry.safeParse(parseLine(line));
    if (parsed.success) entries.push(parsed.data);
  }
  return entries;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

/** What a crash left of a line belongs to an entry that nobody was told is there. Gives the file's size. */
async function cutTornLine(file: string): Promise<number> {
  const bytes = Buffer.from(await readText(file));
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole < bytes.length) await withFile(file, 'r+', (handle) => handle.truncate(whole));
  return whole;
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

function shorten(entry: AuditEntry): AuditEntry {
  const short = (value: unknown): unknown =>
    typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  const changes = entry.changes.map(({ key, before, after }) => ({ key, before: short(before), after: short(after) }));
  return { ...entry, changes };
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
