// Watches for stale locks of git: a git process that was killed leaves its locks, and everything that needs them would
// wait for ever. Reports each lock that lasts longer than some seconds, and removes those that no process has open.
// Must never take a lock from a living process (remove-lock.ts).
import path from 'node:path';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWork } from './disk-work.ts';
import type { FindHolder, Holder } from './lock-holders.ts';
import { OWN } from './refs.ts';
import { identifyLock } from './remove-lock.ts';

export interface HeldLock {
  /** Relative to the site's folder. */
  file: string;
  ageMs: number;
  /** A sentence for an operator. */
  text: string;
}

export interface LockWatch {
  /** Locks that have been reported. */
  list(): HeldLock[];
  /** Checks now; resolves when all locks are checked. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface LockWatchParts {
  disk: Disk;
  work: DiskWork;
  repository: string;
  findHolder: FindHolder;
  warn: Warn;
  /** Milliseconds between looks; 0 for none. */
  lookMs?: number | undefined;
  /** Age at which a lock is reported. */
  patienceMs?: number | undefined;
  /** Age at which a lock that no process has open is removed. */
  removeMs?: number | undefined;
  now?: () => Date;
}

interface SeenLock {
  /** Differs for every new lock: the inode number alone is reused at once. */
  identity: string;
  since: number;
  mtimeMs: number;
  isReported: boolean;
  holder?: Holder;
  holderSoughtAt: number;
}

const LOOK_MS = 2000;
const PATIENCE_MS = 5000;
const REMOVE_MS = 60_000;
/** If it is unknown which process has a lock open, the lock must stay unchanged this many times as long. */
const BLIND_FACTOR = 10;
/** Time between two searches for the holder, because going through all processes takes a while. */
const SEEK_MS = 5000;
/** `git gc` holds this lock for as long as it runs, and nothing waits for it. */
const HOUSEKEEPING = 'gc.log.lock';
/** Folders of the repository with locks, besides everything in `refs`. Locks of work trees are left to their owner. */
const FOLDERS = ['', 'objects', 'objects/info', 'objects/info/commit-graphs', 'objects/pack', 'info', 'logs'];

export function createLockWatch(parts: LockWatchParts): LockWatch {
  const { disk, work, repository, findHolder, warn, now = () => new Date() } = parts;
  const patienceMs = parts.patienceMs ?? PATIENCE_MS;
  const removeMs = parts.removeMs ?? REMOVE_MS;
  const locks = new Map<string, SeenLock>();
  let looking: Promise<void> | undefined;
  let isClosed = false;

  /** By the file's time, because a lock may be older than this process; by ours, if the clock was set back. */
  function ageOf({ since, mtimeMs }: Pick<SeenLock, 'since' | 'mtimeMs'>): number {
    return Math.max(performance.now() - since, now().getTime() - mtimeMs);
  }

  async function findLocks(): Promise<string[]> {
    const breathe = createBreathe();
    const found: string[] = [];
    const own = new Set(
      disk.list(repository).flatMap((name) => (name.startsWith(OWN) ? contentOf(path.join(repository, name)) : [])),
    );
    const add = (file: string): void => {
      // Not the lock of a ref that we are moving: `settleRefs` removes it after a crash.
      if (!contentOf(file).some((content) => own.has(content))) found.push(file);
    };
    for (const folder of FOLDERS) {
      for (const name of disk.list(path.join(repository, folder))) {
        if (name.endsWith('.lock')) add(path.join(repository, folder, name));
      }
    }
    const folders = [path.join(repository, 'refs')];
    for (const folder of folders) {
      for (const name of disk.list(folder)) {
        const file = path.join(folder, name);
        if (name.endsWith('.lock')) add(file);
        else if (disk.stat(file)?.isDirectory()) folders.push(file);
        await breathe();
      }
    }
    return found;
  }

  function contentOf(file: string): string[] {
    const content = disk.readFile(file)?.toString('latin1');
    return content ? [content] : [];
  }

  async function run(): Promise<void> {
    const found = new Set(await findLocks());
    for (const file of locks.keys()) if (!found.has(file)) locks.delete(file);
    for (const file of found) {
      const current = identifyLock(disk, file);
      if (!current) continue;
      let seen = locks.get(file);
      if (seen?.identity !== current.identity) {
        seen = { ...current, since: performance.now(), isReported: false, holderSoughtAt: Number.NEGATIVE_INFINITY };
        locks.set(file, seen);
      }
      if (ageOf(seen) >= patienceMs) await judge(file, seen);
    }
  }

  async function judge(file: string, seen: SeenLock): Promise<void> {
    const isOld = ageOf(seen) >= removeMs;
    if (isOld || performance.now() - seen.holderSoughtAt >= SEEK_MS) {
      seen.holder = await findHolder(file, repository);
      seen.holderSoughtAt = performance.now();
    }
    if (isClosed) return;
    if (seen.holder?.kind === 'process' && path.basename(file) === HOUSEKEEPING) return;
    if (!seen.isReported) warn(describe(file, seen).text);
    seen.isReported = true;
    if (!mayGo(seen) || !(await work('removeLock', file, seen.identity))) return;
    locks.delete(file);
    warn(`removed lock "${nameOf(file)}": it was ${toSeconds(ageOf(seen))} s old, and ${whoHolds(seen.holder)}`);
  }

  function mayGo({ holder, since, mtimeMs }: SeenLock): boolean {
    const seenMs = performance.now() - since;
    if (holder?.kind === 'unknown') return seenMs >= removeMs * BLIND_FACTOR;
    return holder?.kind === 'nobody' && seenMs >= patienceMs && ageOf({ since, mtimeMs }) >= removeMs;
  }

  function nameOf(file: string): string {
    return path.relative(path.dirname(repository), file);
  }

  function describe(file: string, seen: SeenLock): HeldLock {
    const ageMs = ageOf(seen);
    const next = seen.holder?.kind === 'process' ? 'changes that need it wait' : 'it is removed once it is old enough';
    return {
      file: nameOf(file),
      ageMs,
      text: `lock "${nameOf(file)}" has existed for ${toSeconds(ageMs)} s, and ${whoHolds(seen.holder)}: ${next}`,
    };
  }

  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    looking ??= run()
      .catch((error: Error) => warn(`locks of the content repository cannot be checked: ${error.message}`))
      .finally(() => (looking = undefined));
    return looking;
  }

  const lookMs = parts.lookMs ?? LOOK_MS;
  const timer = lookMs ? setInterval(look, lookMs) : undefined;
  timer?.unref();

  return {
    list: () => [...locks].flatMap(([file, seen]) => (seen.isReported ? [describe(file, seen)] : [])),
    look,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
    },
  };
}

function whoHolds(holder: Holder | undefined): string {
  if (holder?.kind === 'process') return `process ${holder.pid} (${holder.name}) holds it`;
  return holder?.kind === 'nobody' ? 'no process has it open' : 'it is unknown whether a process has it open';
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000);
}
