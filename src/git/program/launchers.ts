// The processes that start git (launcher.ts), one at a time: begun when it is needed first, and again where it has died.
// Git has the limits (setrlimit(2)) that its launcher was begun with, and those of a running service can be changed
// (`prlimit`): where they are others now, a new launcher takes over, and the old one ends with the last git of its own.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { siblingUrl } from '../../lib/sibling.ts';

export interface Launched {
  socketPath: string;
  /** To be called once the git that was started there has ended. */
  leave(): void;
}

export interface Launchers {
  /** Rejects where it cannot be begun. */
  enter(): Promise<Launched>;
  close(): void;
}

interface Launcher {
  child: ChildProcess;
  /** The service's when it was begun. */
  limits: string;
  /** Resolves when it listens. */
  socketPath: Promise<string>;
  /** Gits that it runs, or is to start. */
  users: number;
}

const LAUNCHER = siblingUrl(import.meta.url, './launcher');

export function createLaunchers(): Launchers {
  let current: Launcher | undefined;
  const running = new Set<Launcher>();

  function launch(limits: string): Launcher {
    const child = fork(LAUNCHER, {
      execArgv: [],
      env: { TMPDIR: os.tmpdir() },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const socketPath = new Promise<string>((resolve, reject) => {
      child.once('message', (path) => {
        child.unref();
        child.channel?.unref();
        resolve(String(path));
      });
      const forget = (error: Error): void => {
        reject(error);
        running.delete(launcher);
        if (current === launcher) current = undefined;
      };
      child.once('error', forget);
      child.once('exit', (code) => forget(new Error(`the process that starts git ended with ${code}`)));
    });
    const launcher: Launcher = { child, limits, socketPath, users: 0 };
    running.add(launcher);
    return launcher;
  }

  function endUnused(launcher: Launcher): void {
    if (launcher !== current && launcher.users === 0) end(launcher);
  }

  return {
    async enter() {
      const limits = readLimits();
      if (current?.limits !== limits) {
        const old = current;
        current = launch(limits);
        if (old) endUnused(old);
      }
      const launcher = current;
      launcher.users++;
      let isLeft = false;
      const leave = (): void => {
        if (isLeft) return;
        isLeft = true;
        launcher.users--;
        endUnused(launcher);
      };
      try {
        return { socketPath: await launcher.socketPath, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
    close() {
      for (const launcher of running) end(launcher);
    },
  };
}

/** It ends when nobody is at the other end. */
function end({ child }: Launcher): void {
  if (child.connected) child.disconnect();
}

/** As text, to be compared; empty on a system without /proc, where nobody changes those of a running process. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
}
