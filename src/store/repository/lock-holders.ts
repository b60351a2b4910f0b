// Finds the process that holds a lock file of git, in /proc. Git closes some of its locks before it is done with them
// (a ref transaction that waits for a hook), so a git process in the repository that is older than the lock holds it
// too. Must not block the event loop: a machine has thousands of descriptors, so many are read at a time, because a
// busy loop would need a turn for each.
import type { Stats } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { NAMES_IN, placesOf } from './git-places.ts';

/** `unknown`: there is no /proc, or a process of the lock's owner cannot be inspected. */
export type Holder = { kind: 'nobody' } | { kind: 'unknown' } | { kind: 'process'; pid: number; name: string };

export type FindHolder = (file: string, repository: string) => Promise<Holder>;

/** Linux counts process times in hundredths of a second, whatever the kernel's own clock. */
const TICK_MS = 10;
const CLOCK_SLACK_MS = 1000;
/** The process's start time in /proc/<pid>/stat, counted in fields after the command's name. */
const START_FIELD = 19;
const PROCESSES_AT_ONCE = 16;
const DESCRIPTORS_AT_ONCE = 64;

export function createHolderFinder(proc = '/proc', now = () => new Date()): FindHolder {
  return async (file, repository) => {
    const lock = await findStat(file);
    if (!lock) return { kind: 'nobody' };
    const bootedAt = await readBootTime(proc, now);
    const pids = await listProcesses(proc);
    if (bootedAt === undefined || pids.length === 0) return { kind: 'unknown' };
    let isBlind = false;
    const look = async (pid: string): Promise<Holder | undefined> => {
      const folder = path.join(proc, pid);
      try {
        const holds =
          (await hasOpen(folder, file, lock)) || (await isOlderGit(folder, repository, lock.mtimeMs - bootedAt));
        return holds ? { kind: 'process', pid: Number(pid), name: await readName(folder) } : undefined;
      } catch (error) {
        if (!isDenied(error)) return undefined; // it has ended
        // The process that made the lock runs as the lock's owner; other users' processes do not matter.
        const owner = (await findStat(folder))?.uid;
        isBlind ||= owner === lock.uid;
        return undefined;
      }
    };
    for (const some of inGroups(pids, PROCESSES_AT_ONCE)) {
      const holder = (await Promise.all(some.map(look))).find((found) => found !== undefined);
      if (holder) return holder;
    }
    return { kind: isBlind ? 'unknown' : 'nobody' };
  };
}

async function listProcesses(proc: string): Promise<string[]> {
  return (await fs.readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
}

/** Returns undefined for a missing file, too: processes end while they are inspected. */
function findStat(file: string): Promise<Stats | undefined> {
  return fs.stat(file).catch((error: unknown) => {
    if (isDenied(error) || isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

async function readBootTime(proc: string, now: () => Date): Promise<number | undefined> {
  const uptime = await fs.readFile(path.join(proc, 'uptime'), 'latin1').catch(() => '');
  const seconds = Number.parseFloat(uptime);
  return Number.isNaN(seconds) ? undefined : now().getTime() - seconds * 1000;
}

async function hasOpen(process: string, file: string, lock: { dev: number; ino: number }): Promise<boolean> {
  const descriptors = path.join(process, 'fd');
  const name = `/${path.basename(file)}`;
  for (const some of inGroups(await fs.readdir(descriptors), DESCRIPTORS_AT_ONCE)) {
    const links = some.map((fd) => path.join(descriptors, fd));
    const targets = await Promise.all(links.map((link) => fs.readlink(link).catch(() => '')));
    for (const link of links.filter((_, i) => targets[i]!.endsWith(name))) {
      const open = await findStat(link);
      if (open?.dev === lock.dev && open.ino === lock.ino) return true;
    }
  }
  return false;
}

function* inGroups<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** `lockedAfterMs`: time from the machine's start until the lock was made. */
async function isOlderGit(process: string, repository: string, lockedAfterMs: number): Promise<boolean> {
  if (!(await isGit(process))) return false;
  const stat = await fs.readFile(path.join(process, 'stat'), 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || Number(fields[START_FIELD]) * TICK_MS > lockedAfterMs + CLOCK_SLACK_MS) return false;
  return worksIn(process, repository);
}

export async function isGit(process: string): Promise<boolean> {
  return (await readName(process)).startsWith('git');
}

export async function worksIn(process: string, repository: string): Promise<boolean> {
  const real = await fs.stat(repository);
  const [cmdline, environ] = await Promise.all(NAMES_IN.map((name) => fs.readFile(path.join(process, name), 'utf8')));
  for (const place of placesOf(process, { cmdline: cmdline!, environ: environ! })) {
    // A place that cannot be read from here is not the repository that this process serves.
    if (isSame(await fs.stat(place).catch(() => undefined), real)) return true;
  }
  return false;
}

export function isSame(a: Pick<Stats, 'dev' | 'ino'> | undefined, b: Pick<Stats, 'dev' | 'ino'>): boolean {
  return a?.dev === b.dev && a.ino === b.ino;
}

async function readName(process: string): Promise<string> {
  return (await fs.readFile(path.join(process, 'comm'), 'utf8').catch(() => '')).trim();
}

export function isDenied(error: unknown): boolean {
  return isCode(error, 'EACCES', 'EPERM');
}
