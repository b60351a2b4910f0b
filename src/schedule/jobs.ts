// A site's recurring jobs. Each runs on its own: a long backup holds up neither other jobs nor the publications of the
// next minute. Each ended run is reported once, in the next report.
import type { DataFolder } from '../data/data-folder.ts';
import type { Logger } from '../lib/logger.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { ended, type JobState, nextRun, nextRuns, ScheduleFile, whatIsDue, withSchedule } from './job-state.ts';
import { reasonOf } from './report.ts';

export interface ScheduledJob {
  /** Its name in `ran`: `backup`, `link-check`. */
  name: string;
  /** For people. */
  label: string;
  /** Cron expression, or empty. */
  schedule(): string;
  run(): Promise<unknown>;
}

export interface Jobs {
  /** Saves changed schedules; they count from now. */
  applySettings(): Promise<void>;
  /** Starts the due jobs, and returns all that are running. */
  start(): Promise<Promise<void>[]>;
  running(): Promise<void>[];
  /** Returns the jobs that have ended since the last call. */
  collect(): { jobs: string[]; errors: string[] };
  /** Each job that has a schedule, when that was set, and the next runs. */
  scheduled(): { job: ScheduledJob; setAt: string; runs: readonly Date[] }[];
}

export interface JobsParts {
  jobs: readonly ScheduledJob[];
  timezone(): string;
  /** The folder `_data`. */
  data: DataFolder;
  now(): Date;
  /** Aborted when the site closes: a job that fails then starts again after the next start. */
  closing: AbortSignal;
  logger: Pick<Logger, 'info' | 'error'>;
  /** Called when a job starts and when it has ended. */
  onJob?(news: JobNews): void;
}

export interface JobNews {
  job: string;
  state: 'running' | 'done' | 'failed';
}

const FILE = 'schedule.json';
const DAY_MS = 24 * 3600_000;

export async function openJobs({ jobs, timezone, data, now, closing, logger, onJob }: JobsParts): Promise<Jobs> {
  const states = new Map(Object.entries(await readStates({ data, logger })));
  const running = new Map<string, Promise<void>>();
  let ran: { jobs: string[]; errors: string[] } = { jobs: [], errors: [] };
  const { nextOf, runsOf } = createRuns(now);
  const inOrder = createInOrder();
  /** The file lacks some changes, for example because the disk was full. */
  let isBehind = false;

  /** One write after another; each writes the state at its turn. */
  function save(): Promise<void> {
    return inOrder(async () => {
      const file: ScheduleFile = { version: 1, jobs: Object.fromEntries(states) };
      isBehind = true;
      await data.write(FILE, `${JSON.stringify(file, null, 2)}\n`);
      isBehind = false;
    });
  }

  /** Updates memory first: a schedule that is set while the disk is full counts from then, too. */
  async function applySettings(): Promise<void> {
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
    const report = (state: JobNews['state']): void => onJob?.({ job: job.name, state });
    const fail = (error: unknown): void => {
      logger.error({ err: error, job: job.name }, 'a scheduled job failed');
      ran.errors.push(`${job.name}: ${reasonOf(error)}`);
      report('failed');
    };
    states.set(job.name, state);
    try {
      await save();
      logger.info({ job: job.name, match: state.running?.match }, 'a scheduled job starts');
      report('running');
      await job.run();
      ran.jobs.push(job.name);
      report('done');
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
    applySettings,
    async start() {
      try {
        await applySettings();
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
              `${job.name}: the service ended during each of its attempts; it waits for its next scheduled time`,
            );
          }
        } catch (error) {
          ran.errors.push(`${job.name}: ${reasonOf(error)}`);
        }
      }
      return [...running.values()];
    },
    running: () => [...running.values()],
    collect() {
      const collected = { jobs: ran.jobs, errors: [...new Set(ran.errors)] };
      ran = { jobs: [], errors: [] };
      return collected;
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
    // The site opens anyway.
    logger.error({ err: error }, `"_data/${FILE}" cannot be read; schedules count from now`);
    return {};
  }
}

/** Computes coming runs, each only once. */
function createRuns(now: () => Date) {
  /** The next match of each state; computing it may take some milliseconds. */
  const next = new WeakMap<JobState, Date>();
  const runs = new WeakMap<JobState, { dates: readonly Date[]; until: Date }>();

  function nextOf(state: JobState): Date {
    const known = next.get(state) ?? nextRun(state);
    next.set(state, known);
    return known;
  }

  /** Recomputed when the first run has passed, or after a day if there are no runs. */
  function runsOf(state: JobState): readonly Date[] {
    const known = runs.get(state);
    if (known && known.until > now()) return known.dates;
    const dates = nextRuns(state, now());
    runs.set(state, { dates, until: dates[0] ?? new Date(now().getTime() + DAY_MS) });
    return dates;
  }

  return { nextOf, runsOf };
}
