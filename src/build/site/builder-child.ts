// The process of one build. It gives way to the service: in time, and if the system is out of memory.
import fs from 'node:fs';
import os from 'node:os';
import type { BuiltSite, Redirect } from '../build.ts';
import { type BuilderNews, END } from './builder-messages.ts';
import type { BuilderOrder } from './builder-process.ts';
import { runBriefly } from './run-briefly.ts';
import type { SiteBuildCalls } from './site-build.ts';

/** proc(5): 1000 is always ended first, 0 is usual. */
const VICTIM_SCORE = 500;
const SCORE = '/proc/self/oom_score_adj';

giveWay();
preferAsVictim();
runBriefly();

const ending = new AbortController();
const calls: SiteBuildCalls = { log: (log) => send({ log }), signal: ending.signal };
process.on('message', (message: BuilderOrder | typeof END) => {
  if (message === END) ending.abort();
  else void run(message);
});
// A service that is gone has nobody who waits for the site; one that starts again builds it anew.
process.on('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
// The keys of a terminal and a service manager's stop arrive here too: the service asks its builds to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function send(news: BuilderNews): void {
  process.send?.(news);
}

async function make({ site, redirects }: BuilderOrder): Promise<BuiltSite | Redirect[]> {
  if (redirects) return (await import('./find-redirects.ts')).findRedirects(redirects, calls);
  return (await import('./build-site.ts')).buildSite(site!, calls);
}

async function run(order: BuilderOrder): Promise<void> {
  try {
    send({ made: await make(order) });
  } catch (error) {
    const { PlanError } = await import('./plan/plan-error.ts');
    if (error instanceof PlanError) send({ problems: error.problems });
    else {
      const { message, stack, code } = error as NodeJS.ErrnoException;
      send({ error: { message, stack, code } });
    }
  }
}

function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL } = os.constants.priority;
  // A service that is nicer already may not be made less nice.
  if (os.getPriority() < PRIORITY_BELOW_NORMAL) os.setPriority(PRIORITY_BELOW_NORMAL);
}

/** Linux, short of memory, ends this process before the service. */
function preferAsVictim(): void {
  if (process.platform !== 'linux') return;
  try {
    const present = Number(fs.readFileSync(SCORE, 'utf8'));
    fs.writeFileSync(SCORE, String(Math.max(VICTIM_SCORE, present)));
  } catch (error) {
    // A container may show it without letting anyone write.
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
