// The processes that start git (launcher.ts), one at a time: started when first needed, and restarted after it has
// died. Git inherits the limits (setrlimit(2)) that its launcher was started with, but those of a running service can
// be changed (`prlimit`): if they have changed, a new launcher takes over, and the old one ends after its last git
// process.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { isCode } from '../../lib/error-code.ts';
import { siblingUrl } from '../../lib/sibling.ts';

export interface Launched {
  socketPath: string;
  /** The caller calls this when its git process has ended. */
  leave(): void;
}

export interface Launchers {
  /** Rejects if the launcher cannot be started. */
  enter(): Promise<Launched>;
  close(): void;
}

interface Launcher {
  child: ChildProcess;
  /** The service's limits when the launcher was started. */
  limits: string;
  /** Resolves when the launcher listens. */
  socketPath: Promise<string>;
  /** The number of git processes that it runs or is about to start. */
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

/** The launcher ends when its channel is closed. */
function end({ child }: Launcher): void {
  if (child.connected) child.disconnect();
}

/**
 * As text, for comparison; empty on a system without /proc, where the limits of a running process cannot be changed.
 */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    return '';
  }
}
