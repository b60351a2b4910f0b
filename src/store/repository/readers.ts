// Finds other git processes that read the repository, in /proc: a clone, `git fsck`, `git gc`. Each lists the packs a
// few milliseconds after its start and opens them when it needs them.
import fs from 'node:fs';
import path from 'node:path';
import { placesOf } from './git-places.ts';
import { isDenied, isGit, isSame, worksIn } from './lock-holders.ts';

export interface Readers {
  /** Returns true if a git process works in the repository. A process that cannot be inspected counts as one. */
  look(): Promise<boolean>;
  /**
   * Returns true if a git process has begun to work there since the last `look()`. It blocks, so it skips processes
   * that were already there for a while at that look.
   */
  hasBegun(): boolean;
}

/** A shell becomes git in less, however busy the machine: the last look saw what an older process has become. */
const SETTLED_MS = 1000;

export function createReaders(repository: string, proc = '/proc'): Readers {
  /** Process ids with the time of the first look that found them. */
  let seen = new Map<string, number>();
  let settled: ReadonlySet<string> = new Set();

  return {
    async look() {
      const pids = listProcesses(proc);
      const now = performance.now();
      seen = new Map(pids.map((pid) => [pid, seen.get(pid) ?? now]));
      settled = new Set(pids.filter((pid) => seen.get(pid)! <= now - SETTLED_MS));
      for (const pid of pids) {
        const folder = path.join(proc, pid);
        try {
          if ((await isGit(folder)) && (await worksIn(folder, repository))) return true;
        } catch (error) {
          if (isDenied(error)) return true; // any other error: the process has ended
        }
      }
      return false;
    },
    hasBegun: () => listProcesses(proc).some((pid) => !settled.has(pid) && readsNow(path.join(proc, pid), repository)),
  };
}

/** Empty if there is no /proc. */
function listProcesses(proc: string): string[] {
  return fs.existsSync(proc) ? fs.readdirSync(proc).filter((name) => /^\d+$/.test(name)) : [];
}

/** The check that `look` makes for each process, without yielding. */
function readsNow(process: string, repository: string): boolean {
  const read = (name: string): string => fs.readFileSync(path.join(process, name), 'utf8');
  try {
    if (!read('comm').startsWith('git')) return false;
    const real = fs.statSync(repository);
    const places = placesOf(process, { cmdline: read('cmdline'), environ: read('environ') });
    return places.some((place) => isSame(statNow(place), real));
  } catch (error) {
    return isDenied(error); // any other error: the process has ended
  }
}

/** Returns undefined if the place does not exist or cannot be accessed. */
function statNow(place: string): fs.Stats | undefined {
  try {
    return fs.statSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'stat') throw error;
    return undefined;
  }
}
