// Builds a site in a process that is started for it, so that requests are answered meanwhile. What ends it is an error
// of that build alone: a thread that runs out of memory may end the whole service with it.
import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siblingUrl } from '../../lib/sibling.ts';
import { BuildError, type BuiltSite, type Redirect } from '../build.ts';
import { builderEnv } from './builder-env.ts';
import { type BuilderNews, END } from './builder-messages.ts';
import type { RedirectOrder } from './find-redirects.ts';
import { PlanError } from './plan/plan-error.ts';
import type { SiteBuildCalls, SiteBuildOrder } from './site-build.ts';
import { STAGING } from './write/file-list.ts';

/** One of the two is to be made. */
export interface BuilderOrder {
  site?: SiteBuildOrder;
  redirects?: RedirectOrder;
}

/** A run's log has no line that is written over. */
export type BuilderCalls = Omit<SiteBuildCalls, 'onProgress'>;

/** For tests. */
export interface BuilderOptions {
  script?: URL;
  endMs?: number;
  memoryMb?: number;
}

/** How long a build may take to end after it was asked to. */
const END_MS = 3000;
/** Far above what the largest site needs. */
const MEMORY_MB = 2048;
/** Kept of what a build printed before it broke down. */
const LAST_CHARACTERS = 4096;

/** Like `buildSite`. Rejects with the signal's reason once the process has ended. */
export async function buildApart(
  order: SiteBuildOrder,
  calls: BuilderCalls,
  options?: BuilderOptions,
): Promise<BuiltSite> {
  try {
    return (await runApart({ site: withPlainConfig(order) }, calls, options)) as BuiltSite;
  } finally {
    // A process that was killed has left it.
    fs.rmSync(path.join(order.outDir, STAGING), { recursive: true, force: true });
  }
}

/** Like `findRedirects`. Rejects with the signal's reason once the process has ended. */
export async function findRedirectsApart(order: RedirectOrder, calls: BuilderCalls): Promise<Redirect[]> {
  return (await runApart({ redirects: withPlainConfig(order) }, calls)) as Redirect[];
}

/** The configuration may hold what cannot be sent to a process (functions). */
function withPlainConfig<T extends Pick<SiteBuildOrder, 'config'>>(order: T): T {
  return { ...order, config: JSON.parse(JSON.stringify(order.config)) };
}

async function runApart(
  order: BuilderOrder,
  { log, signal }: BuilderCalls,
  {
    script = siblingUrl(import.meta.url, './builder-child'),
    endMs = END_MS,
    memoryMb = MEMORY_MB,
  }: BuilderOptions = {},
): Promise<BuiltSite | Redirect[]> {
  signal.throwIfAborted();
  const child = fork(fileURLToPath(script), {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: builderEnv(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  let lastWords = '';
  child.stderr?.on('data', (text) => (lastWords = `${lastWords}${text}`.slice(-LAST_CHARACTERS)));
  const { promise, resolve, reject } = Promise.withResolvers<BuiltSite | Redirect[]>();
  const ended = new Promise<void>((resume) => {
    child.once('exit', (code, by) => {
      resume();
      const fail = (): void => reject(toReason({ code, by, lastWords, memoryMb }));
      // What it printed last may still be on its way.
      if (child.stderr?.closed === false) child.stderr.once('close', fail);
      else fail();
    });
    child.on('error', (error) => {
      reject(error);
      // It may not have been started at all.
      if (child.pid === undefined) resume();
    });
  });
  child.on('message', (news: BuilderNews) => {
    if ('log' in news) log(news.log);
    else if ('made' in news) resolve(news.made);
    else if ('problems' in news) reject(new PlanError(news.problems));
    else reject(toError(news.error));
  });
  let late: NodeJS.Timeout | undefined;
  const killLate = (): void => void (late ??= setTimeout(() => child.kill('SIGKILL'), endMs));
  const end = (): void => {
    send(child, END);
    killLate();
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    send(child, order);
    return await promise;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', end);
    if (child.connected) child.disconnect();
    killLate();
    await ended;
    clearTimeout(late);
  }
}

/** A process that is gone says so by its exit. */
function send(child: ChildProcess, message: BuilderOrder | typeof END): void {
  if (child.connected) child.send(message, () => undefined);
}

interface EndedBuild {
  code: number | null;
  by: NodeJS.Signals | null;
  lastWords: string;
  memoryMb: number;
}

/** What has to do with the size of the site or the machine is for the run's log, a bug for the process's. */
function toReason({ code, by, lastWords, memoryMb }: EndedBuild): Error {
  if (lastWords.includes('JavaScript heap out of memory'))
    return new BuildError(`the build needs more than ${memoryMb} MB of memory`);
  if (by === 'SIGKILL') return new BuildError('the build was killed, as by a system that is out of memory');
  return new Error(`the process of a build ended before the site was built (${by ?? `exit ${code}`})\n${lastWords}`);
}

function toError({
  message,
  stack,
  code,
}: {
  message: string;
  stack: string | undefined;
  code: string | undefined;
}): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}
