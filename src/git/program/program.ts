// The machine's `git` program: started (by launcher.ts) with an array of arguments, an environment that the service
// sets, and no configuration but the repository's. It is looked up whenever it is needed, so that installing it needs
// no restart.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import os from 'node:os';
import { ServiceError } from '../../lib/errors.ts';
import { createLaunchers } from './launchers.ts';

/** A running git. */
export interface GitProcess {
  readonly stdin: ClientRequest;
  /** The caller must read or resume it: git does not end before. */
  readonly stdout: IncomingMessage;
  readonly ended: Promise<Ended>;
  kill(): void;
}

export interface Ended {
  /** Null if git was killed: then it gave no answer (findTrouble). */
  code: number | null;
  /** The signal that killed it; null if git exited by itself, or if we ended it. */
  signal: NodeJS.Signals | null;
  /** The first 8 KiB of standard error. */
  stderr: string;
}

export interface GitProgram {
  /** @throws ServiceError 503 if git cannot be started; an AbortError. */
  start(args: readonly string[], options?: GitStartOptions): Promise<GitProcess>;
  /** Returns the whole output. */
  run(args: readonly string[], options?: GitStartOptions): Promise<Ended & { stdout: Buffer }>;
  close(): void;
}

export interface GitStartOptions {
  env?: Record<string, string>;
  /** Aborting ends git. */
  signal?: AbortSignal | undefined;
}

const SETTINGS = [
  // The data folder may have been created by another user, or on another machine.
  ['safe.directory', '*'],
  // Larger files are streamed, not held in memory.
  ['core.bigFileThreshold', '16m'],
  ['pack.threads', '1'],
  ['pack.windowMemory', '64m'],
  // Git would put eight lines of advice on graft files in front of the error.
  ['advice.graftFileDeprecated', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** `searchPath` is the list of folders to look in, as in PATH. */
export function createGitProgram(searchPath: string | undefined): GitProgram {
  const baseEnv = {
    ...(searchPath === undefined ? {} : { PATH: searchPath }),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: os.devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  const launchers = createLaunchers();
  let isClosed = false;

  async function start(args: readonly string[], { env = {}, signal }: GitStartOptions = {}): Promise<GitProcess> {
    if (isClosed) throw new ServiceError('unavailable', 'the service is shutting down');
    const { socketPath, leave } = await launchers.enter().catch((error) => {
      throw cannotStart('', error);
    });
    try {
      const child = await startAt(socketPath, args, { env, signal });
      void child.ended.then(leave);
      return child;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function startAt(socketPath: string, args: readonly string[], { env, signal }: GitStartOptions) {
    signal?.throwIfAborted();
    const order = JSON.stringify({ args: [...SETTINGS, ...args], env: { ...baseEnv, ...env } });
    const stdin = request({
      socketPath,
      method: 'POST',
      agent: false,
      headers: { 'X-Start': Buffer.from(order).toString('base64') },
      ...(signal ? { signal } : {}),
    });
    stdin.flushHeaders();
    const stdout = await new Promise<IncomingMessage>((resolve, reject) => {
      stdin.once('response', resolve);
      // Later errors follow the end of git, which `ended` reports.
      stdin.on('error', (error) => reject(signal?.aborted ? error : cannotStart('', error)));
    });
    if (stdout.statusCode !== 200) {
      stdin.destroy();
      throw cannotStart(String(await firstChunk(stdout)));
    }
    const ended = new Promise<Ended>((resolve) => {
      stdout.once('close', () => resolve(toEnded(stdout.trailers['x-ended'])));
    });
    return { stdin, stdout, ended, kill: () => void stdin.destroy() };
  }

  return {
    start,
    async run(args, options) {
      const { stdin, stdout, ended } = await start(args, options);
      stdin.end();
      const chunks: Buffer[] = [];
      stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      stdout.on('error', () => undefined); // git was ended, which `ended` reports
      return { ...(await ended), stdout: Buffer.concat(chunks) };
    },
    close() {
      isClosed = true;
      launchers.close();
    },
  };
}

async function firstChunk(stream: IncomingMessage): Promise<unknown> {
  for await (const chunk of stream) return chunk;
  return '';
}

function toEnded(trailer: string | undefined): Ended {
  if (trailer === undefined) return { code: null, signal: null, stderr: '' };
  return JSON.parse(Buffer.from(trailer, 'base64').toString('utf8')) as Ended;
}

function cannotStart(code: string, cause?: Error): ServiceError {
  const isMissing = code === 'ENOENT' || code === 'EACCES';
  const message = isMissing
    ? 'clones and pushes need git, which this machine does not have: install it (`apt-get install git`, `apk add git`)'
    : 'git cannot be started right now; try again in a moment';
  return new ServiceError('unavailable', message, { cause });
}
