// A site's recurring jobs, each in a lane of its own: a long backup holds up neither the others nor what is published in
// the next minute. What has been done since the last report is told in the next one, once.
import type { DataFolder } from '../data/data-folder.ts';
import type { Logger } from '../lib/logger.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { ended, type JobState, nextRun, nextRuns, ScheduleFile, whatIsDue, withSchedule } from './job-state.ts';
import { reasonOf } from './report.ts';

export interface ScheduledJob {
  /** As it is told in `ran`: `backup`, `link-check`. */
  name: string;
  /** For people. */
  label: string;
  /** Cron expression, or empty. */
  schedule(): string;
  run(): Promise<unknown>;
}

export interface Jobs {
  /** Notes schedules that have changed; what was set counts from now. */
  follow(): Promise<void>;
  /** Starts what is due, and gives what runs now. */
  start(): Promise<Promise<void>[]>;
  running(): Promise<void>[];
  /** What has ended since this was asked last. */
  take(): { jobs: string[]; errors: string[] };
  /** Each job that has a schedule, since when, and its next runs. */
  scheduled(): { job: ScheduledJob; setAt: string; runs: readonly Date[] }[];
}

export interface JobsParts {
  jobs: readonly ScheduledJob[];
  timezone(): string;
  /** `_data`. */
  data: DataFolder;
  now(): Date;
  /** Aborted when the site closes: a job that fails then is begun again by the next start. */
  closing: AbortSignal;
  logger: Pick<Logger, 'info' | 'error'>;
}

const FILE = 'schedule.json';
const DAY_MS = 24 * 3600_000;

export async function openJobs({ jobs, timezone, data, now, closing, logger }: JobsParts): Promise<Jobs> {
  const states = new Map(Object.entries(await readStates({ data, logger })));
  const running = new Map<string, Promise<void>>();
  let ran: { jobs: string[]; errors: string[] } = { jobs: [], errors: [] };
  const { nextOf, runsOf } = createRuns(now);
  const inOrder = createInOrder();
  /** The file does not have all of it: the disk was full. */
  let isBehind = false;

  /** One write behind the other; each has what is true when its turn comes. */
  function save(): Promise<void> {
    return inOrder(async () => {
      const file: ScheduleFile = { version: 1, jobs: Object.fromEntries(states) };
      isBehind = true;
      await data.write(FILE, `${JSON.stringify(file, null, 2)}\n`);
      isBehind = false;
    });
  }

  /** Memory first: what was set while the disk is full counts from then all the same. */
  async function follow(): Promise<void> {
    let isChanged = isBehind;
    for (const { name, schedule } of jobs) {
      const before = states.get(name);
      const after = withSchedule(before, schedule(), timezone(), now());
      if (after === before) continue;
      isChanged = true;
      if (after) states.set(name, after);
      else states.delete(name);
    }
    if (isChanged) await save();
  }

  async function run(job: ScheduledJob, state: JobState): Promise<void> {
    const startedAt = now();
    const fail = (error: unknown): void => {
      logger.error({ err: error, job: job.name }, 'a scheduled job failed');
      ran.errors.push(`${job.name}: ${reasonOf(error)}`);
    };
    states.set(job.name, state);
    try {
      await save();
      logger.info({ job: job.name, match: state.running?.match }, 'a scheduled job begins');
      await job.run();
      ran.jobs.push(job.name);
    } catch (error) {
      if (closing.aborted) return;
      fail(error);
    }
    const last = states.get(job.name);
    if (!last) return;
    states.set(job.name, ended(last, startedAt));
    await save().catch(fail);
  }

  return {
    follow,
    async start() {
      try {
        await follow();
      } catch (error) {
        ran.errors.push(`schedule: ${reasonOf(error)}`);
      }
      for (const job of jobs) {
        const state = states.get(job.name);
        if (!state || running.has(job.name)) continue;
        try {
          const due = whatIsDue(state, nextOf(state), now());
          if (due.kind === 'run') {
            const lane = run(job, due.state).finally(() => running.delete(job.name));
            running.set(job.name, lane);
          } else if (due.kind === 'give-up') {
            states.set(job.name, due.state);
            await save();
            ran.errors.push(
              `${job.name}: the service ended in the middle of it again and again; waits for its next time`,
            );
          }
        } catch (error) {
          ran.errors.push(`${job.name}: ${reasonOf(error)}`);
        }
      }
      return [...running.values()];
    },
    running: () => [...running.values()],
    take() {
      const taken = { jobs: ran.jobs, errors: [...new Set(ran.errors)] };
      ran = { jobs: [], errors: [] };
      return taken;
    },
    scheduled: () =>
      jobs.flatMap((job) => {
        const state = states.get(job.name);
        return state ? [{ job, setAt: state.setAt, runs: runsOf(state) }] : [];
      }),
  };
}

async function readStates({ data, logger }: Pick<JobsParts, 'data' | 'logger'>): Promise<ScheduleFile['jobs']> {
  const bytes = await data.read(FILE);
  if (!bytes) return {};
  try {
    return ScheduleFile.parse(JSON.parse(bytes.toString('utf8'))).jobs;
  } catch (error) {
    // No reason to keep a site closed.
    logger.error({ err: error }, `_data/${FILE} cannot be read; schedules count from now`);
    return {};
  }
}

/** Runs to come, each worked out once. */
function createRuns(now: () => Date) {
  /** The next match of a state; working it out may take some milliseconds. */
  const next = new WeakMap<JobState, Date>();
  const runs = new WeakMap<JobState, { dates: readonly Date[]; until: Date }>();

  function nextOf(state: JobState): Date {
    const known = next.get(state) ?? nextRun(state);
    next.set(state, known);
    return known;
  }

  /** Worked out anew when the first of them has passed, or after a day without any. */
  function runsOf(state: JobState): readonly Date[] {
    const known = runs.get(state);
    if (known && known.until > now()) return known.dates;
    const dates = nextRuns(state, now());
    runs.set(state, { dates, until: dates[0] ?? new Date(now().getTime() + DAY_MS) });
    return dates;
  }

  return { nextOf, runsOf };
}
