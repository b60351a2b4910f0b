// Finds the git processes that read the repository beside us, in /proc: a clone, `git fsck`, `git gc`. Each lists the packs
// a few milliseconds after its start and opens them when it needs them.
import fs from 'node:fs';
import path from 'node:path';
import { placesOf } from './git-places.ts';
import { isDenied, isGit, isSame, worksIn } from './lock-holders.ts';

export interface Readers {
  /** Whether a git is at work in the repository. One that cannot be looked into may be. */
  look(): Promise<boolean>;
  /**
   * Whether a git has begun since. Blocks, and must be quick: looks only at processes that were not
   * there yet at the look before the last one.
   */
  hasBegun(): boolean;
}

export function createReaders(repository: string, proc = '/proc'): Readers {
  /** Processes of the look before the last one. Whatever was to become a git has become one by the next look. */
  let settled = new Set<string>();
  let seen = new Set<string>();

  return {
    async look() {
      const pids = listProcesses(proc);
      settled = seen;
      seen = new Set(pids);
      for (const pid of pids) {
        const folder = path.join(proc, pid);
        try {
          if ((await isGit(folder)) && (await worksIn(folder, repository))) return true;
        } catch (error) {
          if (isDenied(error)) return true; // others have ended
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

/** As `look` asks it of a process, without a wait in between. */
function readsNow(process: string, repository: string): boolean {
  const read = (name: string): string => fs.readFileSync(path.join(process, name), 'utf8');
  try {
    if (!read('comm').startsWith('git')) return false;
    const real = fs.statSync(repository);
    const places = placesOf(process, { cmdline: read('cmdline'), environ: read('environ') });
    return places.some((place) => isSame(statNow(place), real));
  } catch (error) {
    return isDenied(error); // others have ended
  }
}

/** Undefined for what is not there, or cannot be looked at. */
function statNow(place: string): fs.Stats | undefined {
  try {
    return fs.statSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'stat') throw error;
    return undefined;
  }
}
