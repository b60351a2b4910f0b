// When a job is due: pure. Each match of its schedule leads to one run, missed matches together to one, starting with
// the first match after the schedule was set or changed. A run is recorded before it starts and after it has ended, so
// that a crash in between neither skips it nor repeats it for ever.
import { z } from 'zod';
import { lastMatch, matchesAfter, nextMatch } from '../lib/time/cron.ts';

export const JobState = z.object({
  /** Not empty. */
  schedule: z.string().min(1),
  timezone: z.string(),
  setAt: z.iso.datetime(),
  /** The next match is the first one after this. */
  after: z.iso.datetime(),
  /** A run that has started and is not known to have ended. */
  running: z.object({ match: z.iso.datetime(), attempts: z.int().min(1) }).optional(),
});
export type JobState = z.output<typeof JobState>;

export const ScheduleFile = z.object({ version: z.literal(1), jobs: z.record(z.string(), JobState) });
export type ScheduleFile = z.output<typeof ScheduleFile>;

/** A run that crashes the process each time is given up after so many; one restart during a run is harmless. */
const MAX_ATTEMPTS = 3;
/** More than an ordinary correction of the clock. */
const CLOCK_MS = 3600_000;

/** Returns the job's state with this schedule; the same object if it has not changed. */
export function withSchedule(
  state: JobState | undefined,
  schedule: string,
  timezone: string,
  now: Date,
): JobState | undefined {
  if (schedule === '') return undefined;
  const at = now.toISOString();
  if (state?.schedule === schedule && state.timezone === timezone) {
    // After a clock was far ahead once, runs must not wait until the time that it showed.
    return Date.parse(state.after) - now.getTime() > CLOCK_MS ? { ...state, after: at } : state;
  }
  return { schedule, timezone, setAt: at, after: at, ...(state?.running ? { running: state.running } : {}) };
}

export type Due = { kind: 'wait' } | { kind: 'run'; state: JobState } | { kind: 'give-up'; state: JobState };

/** `next` is `nextRun` of the state. */
export function whatIsDue(state: JobState, next: Date, now: Date): Due {
  const { running } = state;
  if (running && running.attempts >= MAX_ATTEMPTS) return { kind: 'give-up', state: ended(state, now) };
  if (running) return { kind: 'run', state: { ...state, running: { ...running, attempts: running.attempts + 1 } } };
  if (next > now) return { kind: 'wait' };
  return { kind: 'run', state: { ...state, running: { match: next.toISOString(), attempts: 1 } } };
}

/** After a run, however it went: a job that fails waits for its next match. `startedAt` is when it began. */
export function ended({ running, ...state }: JobState, startedAt: Date): JobState {
  if (!running) return state;
  const match = new Date(running.match);
  // The schedule may have been changed during the run; then it counts from the change.
  if (match <= new Date(state.after)) return state;
  return { ...state, after: lastMatch(state.schedule, state.timezone, match, startedAt).toISOString() };
}

export function nextRun({ schedule, timezone, after }: JobState): Date {
  return nextMatch(schedule, timezone, new Date(after));
}

const MAX_RUNS = 50;
const HORIZON_MS = 28 * 24 * 3600_000;

/** The runs that the calendar shows: those of the next four weeks, 50 at most. */
export function nextRuns({ schedule, timezone, after }: JobState, now: Date): Date[] {
  const from = new Date(Math.max(Date.parse(after), now.getTime()));
  return matchesAfter(schedule, timezone, from, new Date(now.getTime() + HORIZON_MS), MAX_RUNS);
}
