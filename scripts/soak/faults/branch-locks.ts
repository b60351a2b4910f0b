// A git process is killed while it holds the lock on the branch, or a lock file is left there by hand. No process holds
// it: the service must find that out and remove it, and answer writes until then.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../../src/lib/error-code.ts';
import { eventually } from '../../../test/support/process.ts';
import { pause } from '../service.ts';
import { headOf } from '../witness.ts';
import { type FaultKind, takeTurns } from './fault.ts';

/** A lock that is older than a minute, and that no process has open, is stale. */
const LOCK_AGE_MS = 90_000;
/**
 * Kills go on for this long. Each life of the service wants to see a lock for five seconds itself, so it could go on
 * forever.
 */
const BESIDE_KILLS_MS = 3000;
/**
 * If the clock was set back, a lock counts from when it was first seen: a minute, and time to look on a busy machine.
 */
const PATIENCE_MS = 100_000;
/** The waiting changes are bounded, and a lock may outlast that bound. */
const ROOM_MS = 5000;
/** Time for the waiting changes to reach git. */
const PACK_MS = 5000;

export const branchLocks: FaultKind = {
  create({ place: { repository }, lives, random, report, say }) {
    const isKillNext = takeTurns(random);
    const lock = join(repository, 'refs', 'heads', 'main.lock');
    /** A git that moves the branch may hold HEAD too. */
    const locks = [lock, join(repository, 'HEAD.lock')];

    /** Returns true if it got the lock before another process. */
    async function killGit(): Promise<boolean> {
      const head = await headOf(repository);
      const child = spawn('git', ['-C', repository, 'update-ref', '--stdin'], { stdio: ['pipe', 'pipe', 'pipe'] });
      const ended = once(child, 'close');
      child.stdin.on('error', () => child.stdin.destroy());
      child.stdin.write(`start\nupdate refs/heads/main ${head} ${head}\nprepare\n`);
      let said = '';
      const isPrepared = new Promise<boolean>((resolve) => {
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (said.includes('prepare: ok')) resolve(true);
        });
        void ended.then(() => resolve(false));
      });
      const hasLock = await isPrepared;
      child.kill('SIGKILL');
      await ended;
      return hasLock;
    }

    function leaveLock(): boolean {
      try {
        writeFileSync(lock, '', { flag: 'wx' });
        return true;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
        return false;
      }
    }

    function areGone(withinMs: number): Promise<boolean> {
      return eventually(() => {
        if (locks.some((left) => existsSync(left))) throw new Error('it is there');
        return true;
      }, withinMs).catch(() => false);
    }

    return {
      async strike() {
        await lives.hinder(async () => {
          const isKill = isKillNext();
          if (!(isKill ? await killGit() : leaveLock())) return;
          const what = isKill ? 'the lock of a git process that was killed' : 'a lock that was left by hand';
          // Backdated, so that nothing waits a minute here.
          const before = new Date(Date.now() - LOCK_AGE_MS);
          for (const left of locks) if (existsSync(left)) utimesSync(left, before, before);
          const since = performance.now();
          const isGone = (await areGone(BESIDE_KILLS_MS)) || (await lives.steadily(() => areGone(PATIENCE_MS)));
          const tookMs = performance.now() - since;
          if (tookMs > ROOM_MS) {
            // A start in between writes all of it.
            await lives.steadily(() => pause(PACK_MS));
            lives.noteOutage({ fromMs: since + ROOM_MS, toMs: performance.now() });
          }
          if (!isGone) {
            report('branch-lock', `${what} is still there after ${PATIENCE_MS} ms`);
            for (const left of locks) rmSync(left, { force: true });
          } else say(`${what} was gone after ${Math.round(tookMs)} ms`);
        });
      },
    };
  },
};
