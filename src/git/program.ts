// The `git` program of the machine: started with an array of arguments, an environment of our own making, and nobody's
// configuration but the repository's. It is asked for when it is needed, so that installing it needs no restart.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import os from 'node:os';
import { ServiceError } from '../lib/errors.ts';

export interface GitProcess extends ChildProcessWithoutNullStreams {
  /** Resolves when it has ended and said all. Rejects with 503 where it cannot be started. */
  readonly ended: Promise<Ended>;
}

export interface Ended {
  /** Null where a signal ended it. */
  code: number | null;
  /** The first 16 KiB. */
  stderr: string;
}

export interface GitProgram {
  start(args: readonly string[], options?: StartOptions): GitProcess;
  /** Gives its whole output. */
  run(args: readonly string[], options?: StartOptions): Promise<Ended & { stdout: Buffer }>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

const STDERR_CHARS = 16_384;
/** Behind whatever answers requests. */
const PRIORITY = 10;

const SETTINGS = [
  // The data folder may have been made by another user, or on another machine.
  ['safe.directory', '*'],
  // Larger files are streamed, not held in memory.
  ['core.bigFileThreshold', '16m'],
  ['pack.threads', '1'],
  ['pack.windowMemory', '64m'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** `searchPath` is where the program is looked for, as in PATH. */
export function createGitProgram(searchPath: string | undefined): GitProgram {
  function start(args: readonly string[], { env = {}, signal }: StartOptions = {}): GitProcess {
    const child = spawn('git', [...SETTINGS, ...args], {
      env: {
        ...(searchPath === undefined ? {} : { PATH: searchPath }),
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: os.devNull,
        GIT_ATTR_NOSYSTEM: '1',
        GIT_NO_REPLACE_OBJECTS: '1',
        ...env,
      },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < STDERR_CHARS) stderr += text.slice(0, STDERR_CHARS - stderr.length);
    });
    // It may end before it has read all; how it ended says why.
    child.stdin.on('error', () => undefined);
    const kill = (): void => void child.kill('SIGTERM');
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', (error) => reject(cannotStart(error)));
      child.once('close', (code) => resolve({ code, stderr }));
    }).finally(() => signal?.removeEventListener('abort', kill));
    // Whoever waits for it is told; nobody may be waiting yet.
    ended.catch(() => undefined);
    if (signal?.aborted) kill();
    else signal?.addEventListener('abort', kill);
    lowerPriority(child.pid);
    return Object.assign(child, { ended });
  }

  return {
    start,
    async run(args, options) {
      const child = start(args, options);
      child.stdin.end();
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = await child.ended;
      return { ...ended, stdout: Buffer.concat(chunks) };
    },
  };
}

function cannotStart(error: NodeJS.ErrnoException): ServiceError {
  const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
  const message = isMissing
    ? 'clones and pushes need git, which this machine does not have: install it (`apt-get install git`, `apk add git`)'
    : 'git cannot be started right now; try again in a moment';
  return new ServiceError('unavailable', message, { cause: error });
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, PRIORITY);
  } catch (error) {
    // It has ended already, or the system does not let us: then it runs like everybody.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
