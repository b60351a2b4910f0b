// A process with a content service and writers on it: without HTTP, like a program that uses createCms. Writes in runs,
// whenever its parent asks for one.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createCms } from '../../src/cms.ts';
import { configOf, createDocuments, createRandom } from './documents.ts';
import { countCommits, type Place } from './place.ts';
import { percentile } from './table.ts';

/** Texts are made before the clock runs, because making one costs as much as a write. */
const PREPARED = 1000;

interface Run {
  writers: number;
  seconds: number;
}

export interface RunResult {
  /** Accepted changes per second; the clock stops when the branch has the last of them. */
  rate: number;
  /** From one writer's call to its answer. */
  medianMs: number;
}

export interface Writer {
  /** Git counts the commits afterwards. */
  run(run: Run): Promise<RunResult>;
  /** Suspends it while others are measured: its background work would cost them. */
  pause(): void;
  /** Kills it: there is nothing left to save. */
  kill(): Promise<void>;
}

/** `preload` is a module that the process starts with. */
export async function startWriter(place: Place, preload?: URL): Promise<Writer> {
  const child: ChildProcess = fork(new URL(import.meta.url), [JSON.stringify(place)], {
    execArgv: preload ? ['--import', preload.href] : [],
  });
  const closed = once(child, 'close');
  const answer = async <T>(): Promise<T> => {
    const [first] = await Promise.race([once(child, 'message'), closed.then(() => [undefined])]);
    if (first === undefined) throw new Error('the writer ended');
    return first as T;
  };
  await answer();
  return {
    async run(run) {
      child.kill('SIGCONT');
      const before = countCommits(place);
      child.send(run);
      const { commits, ...result } = await answer<RunResult & { commits: number }>();
      const counted = countCommits(place) - before;
      if (counted !== commits) throw new Error(`${commits} changes were answered, git has ${counted}`);
      return result;
    },
    pause: () => void child.kill('SIGSTOP'),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

async function serveRuns(place: Place): Promise<void> {
  const cms = await createCms(configOf(place), { dataDir: place.dataDir });
  const documents = createDocuments();
  const random = createRandom(2);
  const bodies = Array.from({ length: PREPARED }, (_, i) => documents.data(i).body);
  const ids = Array.from({ length: place.count }, (_, i) => cms.site.view.bySlug('posts', documents.slug(i))!.id);
  let done = 0;

  async function run({ writers, seconds }: Run): Promise<RunResult & { commits: number }> {
    const times: number[] = [];
    const before = done;
    const started = performance.now();
    const write = async (): Promise<void> => {
      for (let at = performance.now(); at - started < seconds * 1000; ) {
        const id = ids[Math.floor(random() * ids.length)]!;
        await cms.content.update('posts', id, { data: { body: bodies[done++ % PREPARED]! } });
        const now = performance.now();
        times.push(now - at);
        at = now;
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    await cms.site.store.log.flush();
    const commits = done - before;
    return { commits, rate: commits / ((performance.now() - started) / 1000), medianMs: percentile(times, 0.5) };
  }

  await cms.site.search.search({ q: 'nowhere' }); // indexed, from here on
  await idle();
  process.on('message', (asked: Run) => void run(asked).then((result) => process.send?.(result)));
  process.send?.('ready');
}

/** Waits for the work of the start: the orders of lists are prepared in the background. */
async function idle(): Promise<void> {
  for (;;) {
    const before = performance.eventLoopUtilization();
    await delay(250);
    if (performance.eventLoopUtilization(before).utilization < 0.1) return;
  }
}

if (import.meta.main) await serveRuns(JSON.parse(process.argv[2]!) as Place);
