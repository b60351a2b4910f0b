// Somebody's git is killed while it holds the lock on the branch, or a lock is left there by hand. Nobody holds it: the
// service must find that out and remove it, and answer writes until then.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../../src/lib/error-code.ts';
import { eventually } from '../../../test/support/process.ts';
import { pause } from '../service.ts';
import { headOf } from '../witness.ts';
import { type FaultKind, takeTurns } from './fault.ts';

/** A lock that is older than a minute, and open in no process, is nobody's. */
const LOCK_AGE_MS = 90_000;
/** So long kills go on. Each life looks for itself and wants to see a lock for five seconds, so they could go on for ever. */
const BESIDE_KILLS_MS = 3000;
/** If the clock was set back, a lock is as old as it was seen: a minute, and time to look on a machine that is busy. */
const PATIENCE_MS = 100_000;
/** What waits has a bound, and a lock may outlast it. */
const ROOM_MS = 5000;
/** Then what waits goes into git. */
const PACK_MS = 5000;

export const branchLocks: FaultKind = {
  create({ place: { repository }, lives, random, report, say }) {
    const isKillNext = takeTurns(random);
    const lock = join(repository, 'refs', 'heads', 'main.lock');
    /** A git that moves the branch may hold HEAD too. */
    const locks = [lock, join(repository, 'HEAD.lock')];

    /** Gives whether it got the lock before somebody else. */
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
          const what = isKill ? 'the lock of a git that was killed' : 'a lock that was left by hand';
          // As if that had been a while ago: nobody waits a minute for it here.
          const before = new Date(Date.now() - LOCK_AGE_MS);
          for (const left of locks) if (existsSync(left)) utimesSync(left, before, before);
          const since = performance.now();
          const isGone = (await areGone(BESIDE_KILLS_MS)) || (await lives.steadily(() => areGone(PATIENCE_MS)));
          const tookMs = performance.now() - since;
          if (tookMs > ROOM_MS) {
            // A start in between takes all of it over.
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
