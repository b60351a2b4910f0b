// Builds a site in a thread that is started for it, so that requests are answered meanwhile. A thread that dies is an
// error of that build alone.
import fs from 'node:fs';
import path from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import type { BuiltSite, Redirect } from '../build.ts';
import { type BuilderNews, END } from './builder-messages.ts';
import type { RedirectOrder } from './find-redirects.ts';
import { PlanError } from './plan/plan-error.ts';
import type { SiteBuildCalls, SiteBuildOrder } from './site-build.ts';
import { threadEnv } from './thread-env.ts';
import { STAGING } from './write/file-list.ts';

/** One of the two is to be made. */
export interface BuilderOrder {
  site?: SiteBuildOrder;
  redirects?: RedirectOrder;
}

/** For tests. */
export interface ThreadOptions {
  script?: URL;
  endMs?: number;
  limits?: ResourceLimits;
}

/** How long a build may take to end after it was asked to. */
const END_MS = 3000;
/** Far above what the largest site needs: a leak ends the thread and not the service. */
const RESOURCES = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32 };

/** Like `buildSite`. Rejects with the signal's reason once the thread has ended. */
export async function buildApart(
  order: SiteBuildOrder,
  calls: SiteBuildCalls,
  options?: ThreadOptions,
): Promise<BuiltSite> {
  try {
    return (await runApart({ site: withPlainConfig(order) }, calls, options)) as BuiltSite;
  } finally {
    // A thread that was killed has left it.
    fs.rmSync(path.join(order.outDir, STAGING), { recursive: true, force: true });
  }
}

/** Like `findRedirects`. Rejects with the signal's reason once the thread has ended. */
export async function findRedirectsApart(order: RedirectOrder, calls: SiteBuildCalls): Promise<Redirect[]> {
  return (await runApart({ redirects: withPlainConfig(order) }, calls)) as Redirect[];
}

/** The configuration may hold what cannot be posted to a thread (functions). */
function withPlainConfig<T extends Pick<SiteBuildOrder, 'config'>>(order: T): T {
  return { ...order, config: JSON.parse(JSON.stringify(order.config)) };
}

async function runApart(
  order: BuilderOrder,
  { log, onProgress, signal }: SiteBuildCalls,
  { script = siblingUrl(import.meta.url, './builder-worker'), endMs = END_MS, limits = RESOURCES }: ThreadOptions = {},
): Promise<BuiltSite | Redirect[]> {
  signal.throwIfAborted();
  const worker = new Worker(script, { workerData: order, resourceLimits: limits, env: threadEnv() });
  const { promise, resolve, reject } = Promise.withResolvers<BuiltSite | Redirect[]>();
  worker.on('message', (news: BuilderNews) => {
    if ('log' in news) log(news.log);
    else if ('progress' in news) onProgress?.(news.progress);
    else if ('made' in news) resolve(news.made);
    else if ('problems' in news) reject(new PlanError(news.problems));
    else reject(toError(news.error));
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that builds a site ended before the site was built')));
  let late: NodeJS.Timeout | undefined;
  const end = (): void => {
    worker.postMessage(END);
    late = setTimeout(() => void worker.terminate(), endMs);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await promise;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(late);
    await worker.terminate();
  }
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
