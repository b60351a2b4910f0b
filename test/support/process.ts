// The service in its own process, as an operator runs it: spawned on port 0 with a temporary data folder, waited for,
// ended or killed by its id. It never outlives the test: it watches its standard input, which closes with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Client, createClient } from './client.ts';

const MAIN = resolve(import.meta.dirname, '../../src/main.ts');
const LEASH = resolve(import.meta.dirname, 'leash.ts');
/**
 * Compiled code of the service, with which a start takes half as long. Node keeps it intact even if a process is
 * killed.
 */
const COMPILE_CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/process-tests');

/** A busy machine is slow; a service that hangs must not hang the run. */
const READY_MS = 60_000;
const EXIT_MS = 20_000;

export const ADMIN = { email: 'ada@example.org', password: 'correct horse', name: 'Ada Lovelace' };

export const CONFIG = {
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
      ],
    },
  ],
};

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  afterMs: number;
}

/** One run of the service. */
export interface Service {
  readonly pid: number;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of its log so far. */
  log(): LogLine[];
  client(cookie?: string): Client;
  signal(name: NodeJS.Signals): void;
  /** Stops reading its log. */
  hangUp(): void;
  /** Resolves when the process has ended. */
  readonly exited: Promise<Exit>;
  /** Ends it as an operator does and returns its exit. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<Exit>;
  kill(): Promise<Exit>;
}

// biome-ignore lint/suspicious/noExplicitAny: log lines are looked into by the tests
export type LogLine = Record<string, any>;

/** A folder for configuration and data, and the processes started on it. */
export interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  readonly configPath: string;
  readonly env: Record<string, string>;
  /** The bare repository of the default site. */
  readonly repository: string;
  /** Starts the service without waiting. */
  spawn(env?: Record<string, string>): Starting;
  /** Starts the service and waits until it serves. */
  start(env?: Record<string, string>): Promise<Service>;
}

export interface Starting {
  readonly pid: number;
  /** Rejects with all of its output if it ends, or does not serve in time. */
  readonly ready: Promise<Service>;
  readonly exited: Promise<Exit>;
  readonly stdout: string;
  readonly stderr: string;
  kill(): Promise<Exit>;
}

/**
 * `files` are written next to the configuration, by relative path; `dataDir` is for a data folder elsewhere (a separate
 * file system); `readyMs` is how long a start may take; `descriptors` is how many files and sockets it may have open;
 * `load` are modules to load before it; `user` owns the process and the files (for root only).
 */
export function makePlace(
  options: {
    config?: unknown;
    configName?: string;
    files?: Record<string, unknown>;
    dataDir?: string;
    readyMs?: number;
    descriptors?: number;
    load?: string | readonly string[];
    user?: number | undefined;
  } = {},
): Place {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-process-'));
  const { config = CONFIG, configName = 'cms.config.json', files = {}, dataDir = join(folder, 'data') } = options;
  const configPath = join(folder, 'content', configName);
  for (const [name, content] of Object.entries({ [configName]: config, ...files })) {
    const file = join(folder, 'content', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  if (options.user !== undefined) {
    chmodSync(folder, 0o755);
    for (const name of ['', ...readdirSync(folder, { recursive: true })])
      chownSync(join(folder, String(name)), options.user, options.user);
  }
  const running = new Set<Starting>();
  const env = {
    PORT: '0',
    CMS_DATA_DIR: dataDir,
    CMS_CONFIG_PATH: configPath,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    PATH: process.env.PATH ?? '',
  };

  function start(more: Record<string, string> = {}): Starting {
    const started = spawnService({ ...env, ...more }, { readyMs: READY_MS, ...options });
    running.add(started);
    void started.exited.then(() => running.delete(started));
    return started;
  }

  return {
    folder,
    dataDir,
    configPath,
    env,
    repository: join(dataDir, 'sites', 'default', 'content.git'),
    spawn: start,
    start: (more) => start(more).ready,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((one) => one.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The limit holds for the process and its children. */
const LIMITED = ['-c', 'ulimit -n "$0" && exec "$@"'];

function spawnService(
  env: Record<string, string>,
  {
    readyMs,
    descriptors,
    load = [],
    user,
  }: { readyMs: number; descriptors?: number; load?: string | readonly string[]; user?: number | undefined },
): Starting {
  const startedAt = performance.now();
  const command = [process.execPath, ...[LEASH, ...[load].flat()].flatMap((file) => ['--import', file]), MAIN];
  const [program = '', ...args] = descriptors ? ['/bin/sh', ...LIMITED, String(descriptors), ...command] : command;
  const as = user === undefined ? {} : { uid: user, gid: user };
  const child = spawn(program, args, { ...as, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<Exit>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => {
      done({ code, signal, afterMs: performance.now() - startedAt });
      // It served and then failed: whatever the test makes of that, this is the reason.
      if (signal !== 'SIGKILL' && code !== 0 && /listening on/.test(stdout))
        console.log(`${stdout.slice(-4000)}${stderr}`);
    });
  });
  const pid = child.pid ?? 0;

  const service: Omit<Service, 'url'> = {
    pid,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    log: () => parseLog(stdout),
    client: () => {
      throw new Error('the service is not ready yet');
    },
    signal: (name) => void child.kill(name),
    hangUp: () => void child.stdout.destroy(),
    exited,
    stop: (signal = 'SIGTERM') => end(child, exited, signal),
    kill: () => end(child, exited, 'SIGKILL'),
  };
  const ready = untilReady(child, exited, () => stdout, readyMs).then(
    (url): Service =>
      Object.defineProperties({} as Service, {
        ...Object.getOwnPropertyDescriptors(service),
        url: { value: url },
        client: { value: (cookie?: string) => createClient(url, cookie) },
      }),
    (cause) => {
      throw new Error(`${(cause as Error).message}\n${stdout}\n${stderr}`, { cause });
    },
  );
  ready.catch(() => undefined); // a test that only waits for the exit does not await it
  return {
    pid,
    ready,
    exited,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    kill: service.kill,
  };
}

function untilReady(
  child: ChildProcess,
  exited: Promise<Exit>,
  output: () => string,
  readyMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const url = /listening on (http:\/\/[^\s"]+)/.exec(output())?.[1];
      if (url) settle(() => resolve(url));
    };
    const settle = (done: () => void): void => {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      done();
    };
    const timer = setTimeout(() => settle(() => reject(new Error(`not ready after ${readyMs} ms`))), readyMs);
    child.stdout?.on('data', look);
    exited.then(
      ({ code, signal }) => settle(() => reject(new Error(`ended before it was ready: ${signal ?? code}`))),
      (error) => settle(() => reject(error)),
    );
  });
}

/** Sends the signal and waits; kills a process that does not end in time, which shows in `signal` of the result. */
async function end(child: ChildProcess, exited: Promise<Exit>, signal: NodeJS.Signals): Promise<Exit> {
  const startedAt = performance.now();
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_MS);
  const exit = await exited;
  clearTimeout(timer);
  return { ...exit, afterMs: performance.now() - startedAt };
}

function parseLog(stdout: string): LogLine[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line) => (line ? [JSON.parse(line) as LogLine] : []));
}

/** Calls `look` until it does not throw; throws its last error if it always does. */
export async function eventually<T>(look: () => T | Promise<T>, withinMs: number): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((again) => setTimeout(again, 20));
    }
  }
}

/** Creates the first admin and returns the session cookie. */
export async function setUp(service: Service): Promise<string> {
  const reply = await service.client().post('/api/auth/setup', ADMIN);
  if (reply.status !== 200 || !reply.cookie) throw new Error(`set-up answered ${reply.status}: ${reply.text}`);
  return reply.cookie;
}
