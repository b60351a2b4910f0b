// The thread of one build. It gives way to threads that answer requests if the system has priorities for threads.
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { BuiltSite, Redirect } from '../build.ts';
import { type BuilderNews, END } from './builder-messages.ts';
import type { BuilderOrder } from './builder-thread.ts';
import type { SiteBuildCalls } from './site-build.ts';

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const { site, redirects } = workerData as BuilderOrder;

const ending = new AbortController();
parentPort?.on('message', (message) => {
  if (message === END) ending.abort();
});

function send(news: BuilderNews): void {
  parentPort?.postMessage(news);
}

const { PlanError } = await import('./plan/plan-error.ts');
const calls: SiteBuildCalls = {
  log: (log) => send({ log }),
  onProgress: (progress) => send({ progress }),
  signal: ending.signal,
};

async function make(): Promise<BuiltSite | Redirect[]> {
  if (redirects) return (await import('./find-redirects.ts')).findRedirects(redirects, calls);
  return (await import('./build-site.ts')).buildSite(site!, calls);
}

try {
  send({ made: await make() });
} catch (error) {
  if (error instanceof PlanError) send({ problems: error.problems });
  else {
    const { message, stack, code } = error as NodeJS.ErrnoException;
    send({ error: { message, stack, code } });
  }
}
parentPort?.close();
