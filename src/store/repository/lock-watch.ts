// Locks of git that stay in the repository: a git that was killed leaves its own, and whatever needs that lock waits for
// ever. Reports each that outlives some seconds, and removes those that no process has open. Must never take a lock from a
// living process (remove-lock.ts).
import path from 'node:path';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWork } from './disk-work.ts';
import type { FindHolder, Holder } from './lock-holders.ts';
import { OWN } from './refs.ts';
import { identifyLock } from './remove-lock.ts';

export interface HeldLock {
  /** Below the site's folder. */
  file: string;
  ageMs: number;
  /** A sentence for an operator. */
  text: string;
}

export interface LockWatch {
  /** Locks that have outlived the patience. */
  list(): HeldLock[];
  /** Looks now; resolves once it has seen all of them. */
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
  /** How old a lock is before anybody hears of it. */
  patienceMs?: number | undefined;
  /** How old a lock that no process has open is before it is removed. */
  removeMs?: number | undefined;
  now?: () => Date;
}

interface SeenLock {
  /** Changes with every lock that is taken: the inode's number alone is given out again at once. */
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
/** Where nobody can see who has it open, it has to stay as it is for so many times as long. */
const BLIND_FACTOR = 10;
/** Going through all processes takes a while. */
const SEEK_MS = 5000;
/** A `git gc` holds it for as long as it runs, and nobody waits for it. */
const HOUSEKEEPING = 'gc.log.lock';
/** Folders of the repository with locks in them; `refs` with all below. A work tree's own are its owner's business. */
const FOLDERS = ['', 'objects', 'objects/info', 'objects/info/commit-graphs', 'objects/pack', 'info', 'logs'];

export function createLockWatch(parts: LockWatchParts): LockWatch {
  const { disk, work, repository, findHolder, warn, now = () => new Date() } = parts;
  const patienceMs = parts.patienceMs ?? PATIENCE_MS;
  const removeMs = parts.removeMs ?? REMOVE_MS;
  const locks = new Map<string, SeenLock>();
  let looking: Promise<void> | undefined;
  let isClosed = false;

  /** A lock may have been there before we were; a clock that was set back says nothing of it. */
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
      // Of a ref that we are moving: `settleRefs` removes what a crash left of it.
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
    warn(`removed ${nameOf(file)}: it was ${toSeconds(ageOf(seen))} s old, and ${whoHolds(seen.holder)}`);
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
    const next = seen.holder?.kind === 'process' ? 'what needs it waits' : 'it is removed once it is old enough';
    return {
      file: nameOf(file),
      ageMs,
      text: `${nameOf(file)} has been there for ${toSeconds(ageMs)} s, and ${whoHolds(seen.holder)}: ${next}`,
    };
  }

  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    looking ??= run()
      .catch((error: Error) => warn(`locks of the repository cannot be looked at: ${error.message}`))
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
  if (holder?.kind === 'process') return `process ${holder.pid} (${holder.name}) has it`;
  return holder?.kind === 'nobody' ? 'no process has it open' : 'nobody can see which process has it open';
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000);
}
