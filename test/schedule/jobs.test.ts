// Recurring jobs under a simulated clock: which matches run, how often, and what happens after a crash during a run.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DataFolder } from '../../src/data/data-folder.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { type JobState, nextRun, whatIsDue, withSchedule } from '../../src/schedule/job-state.ts';
import { type Jobs, openJobs } from '../../src/schedule/jobs.ts';

const MINUTE = 60_000;

interface Bench {
  jobs: Jobs;
  settings: { timezone: string; backup: string };
  clock: { ms: number };
  /** When the backup ran. */
  runs: string[];
  /** The backup waits for this promise; it resolves at once unless a test replaces it. */
  work: { promise: Promise<void> };
  /** Each job that started or ended. */
  news: string[];
  disk: { isFull: boolean };
  /** Closes the jobs of the running process. */
  closing: AbortController;
  files: Map<string, Buffer>;
  /** Starts due jobs, and waits for them. */
  beat(): Promise<{ jobs: string[]; errors: string[] }>;
  /** One beat a minute until then. */
  until(time: string): Promise<void>;
  /** Opens the same folder as the next process would. */
  reopen(): Promise<void>;
}

async function makeBench(now: string, backup: string, timezone = 'UTC'): Promise<Bench> {
  const files = new Map<string, Buffer>();
  const disk = { isFull: false };
  const data = {
    path: 'data',
    read: async (name: string) => files.get(name),
    async write(name: string, bytes: string) {
      if (disk.isFull) throw new ServiceError('storage_full', 'the disk is full');
      files.set(name, Buffer.from(bytes));
    },
  } as unknown as DataFolder;
  const bench: Bench = {
    jobs: undefined as unknown as Jobs,
    settings: { timezone, backup },
    clock: { ms: Date.parse(now) },
    runs: [],
    news: [],
    work: { promise: Promise.resolve() },
    disk,
    closing: new AbortController(),
    files,
    async beat() {
      await Promise.all(await bench.jobs.start());
      return bench.jobs.collect();
    },
    async until(time) {
      for (; bench.clock.ms <= Date.parse(time); bench.clock.ms += MINUTE) await bench.beat();
    },
    async reopen() {
      bench.closing = new AbortController();
      bench.jobs = await openJobs({
        jobs: [
          {
            name: 'backup',
            label: 'Backup',
            schedule: () => bench.settings.backup,
            async run() {
              bench.runs.push(new Date(bench.clock.ms).toISOString());
              await bench.work.promise;
            },
          },
        ],
        timezone: () => bench.settings.timezone,
        data,
        now: () => new Date(bench.clock.ms),
        closing: bench.closing.signal,
        logger: { info: () => undefined, error: () => undefined },
        onJob: ({ job, state }) => void bench.news.push(`${job} ${state}`),
      });
      await bench.jobs.applySettings();
    },
  };
  await bench.reopen();
  return bench;
}

test('a job runs at each match of its schedule, from the first one after it was set', async () => {
  const bench = await makeBench('2026-01-01T03:30:00Z', '0 3 * * *');
  await bench.until('2026-01-03T12:00:00Z');
  assert.equal(bench.runs, ['2026-01-02T03:00:00.000Z', '2026-01-03T03:00:00.000Z']);
  assert.equal(bench.news, ['backup running', 'backup done', 'backup running', 'backup done']);
});

test('a job runs in the time zone of its site, and once a day even if the clock changes', async () => {
  for (const [from, to, expected] of [
    ['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', ['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']],
    ['2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']],
  ] as const) {
    const bench = await makeBench(from, '30 2 * * *', 'Europe/Berlin');
    await bench.until(to);
    assert.equal(bench.runs, [...expected]);
  }
});

test('a changed schedule counts from the change, even if its first match is before the next beat', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.clock.ms = Date.parse('2026-01-01T02:30:00Z');
  bench.settings.backup = '0 2 * * *';
  await bench.jobs.applySettings();
  await bench.until('2026-01-01T04:00:00Z');
  assert.equal(bench.runs, []);
  bench.settings.backup = '30 4 * * *';
  bench.clock.ms = Date.parse('2026-01-01T04:29:59Z');
  await bench.jobs.applySettings();
  bench.clock.ms = Date.parse('2026-01-01T04:30:01Z');
  assert.equal((await bench.beat()).jobs, ['backup']);
  bench.settings.backup = '';
  await bench.jobs.applySettings();
  await bench.until('2026-01-05T00:00:00Z');
  assert.is(bench.runs.length, 1);
  assert.equal(bench.jobs.scheduled(), []);
});

test('matches missed while the service was down lead to one run, and then the next match counts', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.clock.ms = Date.parse('2026-01-09T10:20:00Z');
  await bench.reopen();
  await bench.until('2026-01-10T12:00:00Z');
  assert.equal(bench.runs, ['2026-01-09T10:20:00.000Z', '2026-01-10T03:00:00.000Z']);
});

test('a start in the hour that the clock shows twice runs a missed match only once', async () => {
  const bench = await makeBench('2026-10-20T00:00:00Z', '30 2 * * *', 'Europe/Berlin');
  bench.clock.ms = Date.parse('2026-10-25T01:10:00Z');
  await bench.reopen();
  await bench.until('2026-10-26T12:00:00Z');
  assert.equal(bench.runs, ['2026-10-25T01:10:00.000Z', '2026-10-26T01:30:00.000Z']);
});

test('a failed job is reported once and waits for its next match', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.clock.ms = Date.parse('2026-01-01T03:00:00Z');
  bench.work.promise = Promise.reject(new Error('no room'));
  bench.work.promise.catch(() => undefined);
  assert.equal(await bench.beat(), { jobs: [], errors: ['backup: no room'] });
  assert.equal(await bench.beat(), { jobs: [], errors: [] });
  bench.work.promise = Promise.resolve();
  await bench.until('2026-01-02T04:00:00Z');
  assert.is(bench.runs.length, 2);
});

test('a long job is not started twice, and is reported when it has ended', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '*/5 * * * *');
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.work.promise = promise;
  bench.clock.ms = Date.parse('2026-01-01T00:05:00Z');
  const [run] = await bench.jobs.start();
  bench.clock.ms = Date.parse('2026-01-01T00:22:00Z');
  assert.is((await bench.jobs.start()).length, 1);
  assert.equal(bench.jobs.collect(), { jobs: [], errors: [] });
  resolve();
  await run;
  assert.equal(bench.jobs.collect(), { jobs: ['backup'], errors: [] });
  // The missed matches lead to one run.
  assert.equal(await bench.beat(), { jobs: ['backup'], errors: [] });
  assert.equal(await bench.beat(), { jobs: [], errors: [] });
  assert.is(bench.runs.length, 2);
});

test('a run that a crash interrupted starts again, and is given up if it crashes the service each time', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.work.promise = new Promise(() => undefined);
  bench.clock.ms = Date.parse('2026-01-01T03:00:00Z');
  const errors: string[] = [];
  for (let start = 0; start < 5; start++) {
    await bench.reopen();
    await bench.jobs.start();
    await nextTurn();
    errors.push(...bench.jobs.collect().errors);
  }
  assert.is(bench.runs.length, 3);
  assert.is(errors.length, 1);
  assert.match(errors[0]!, /^backup: /);
  bench.work.promise = Promise.resolve();
  await bench.reopen();
  await bench.until('2026-01-02T03:30:00Z');
  assert.is(bench.runs.length, 4);
});

test('a run that is cut off when the service ends starts again after the next start', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  const { promise, reject } = Promise.withResolvers<void>();
  bench.work.promise = promise;
  bench.clock.ms = Date.parse('2026-01-01T03:00:00Z');
  const [run] = await bench.jobs.start();
  bench.closing.abort();
  reject(new Error('the service ends'));
  await run;
  bench.work.promise = Promise.resolve();
  await bench.reopen();
  assert.equal(await bench.beat(), { jobs: ['backup'], errors: [] });
  assert.equal(await bench.beat(), { jobs: [], errors: [] });
});

test('a crash after a run and before the next beat does not repeat the run', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.clock.ms = Date.parse('2026-01-01T03:00:00Z');
  await bench.beat();
  await bench.reopen();
  await bench.beat();
  assert.is(bench.runs.length, 1);
});

test('a job does not start while the disk is too full to record it', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.clock.ms = Date.parse('2026-01-01T03:00:00Z');
  bench.disk.isFull = true;
  assert.equal(await bench.beat(), { jobs: [], errors: ['backup: the disk is full'] });
  assert.equal(bench.runs, []);
  bench.disk.isFull = false;
  await bench.until('2026-01-02T03:00:00Z');
  assert.is(bench.runs.length, 1);
});

test('an unsaved schedule counts from when it was set, and is saved once there is room', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '');
  bench.disk.isFull = true;
  bench.settings.backup = '0 3 * * *';
  await bench.jobs.applySettings().catch((error) => assert.is(error.code, 'storage_full'));
  bench.clock.ms = Date.parse('2026-01-01T01:00:00Z');
  assert.equal((await bench.beat()).errors, ['schedule: the disk is full']);
  bench.disk.isFull = false;
  assert.equal((await bench.beat()).errors, []);
  const { setAt } = JSON.parse(String(bench.files.get('schedule.json'))).jobs.backup;
  assert.is(setAt, '2026-01-01T00:00:00.000Z');
});

test('if the file cannot be read it is replaced, and schedules count from now', async () => {
  const bench = await makeBench('2026-01-01T00:00:00Z', '0 3 * * *');
  bench.files.set('schedule.json', Buffer.from('{"version":1,"jobs":{"backup":'));
  bench.clock.ms = Date.parse('2026-01-05T10:00:00Z');
  await bench.reopen();
  await bench.until('2026-01-06T04:00:00Z');
  assert.equal(bench.runs, ['2026-01-06T03:00:00.000Z']);
});

test('jobs are not put off for years after the clock was years ahead once', () => {
  const state: JobState = {
    schedule: '0 3 * * *',
    timezone: 'UTC',
    setAt: '2036-01-01T00:00:00.000Z',
    after: '2036-01-01T03:00:00.000Z',
  };
  const now = new Date('2026-01-01T00:00:00.000Z');
  const after = withSchedule(state, '0 3 * * *', 'UTC', now)!;
  assert.is(nextRun(after).toISOString(), '2026-01-01T03:00:00.000Z');
  assert.is(whatIsDue(after, nextRun(after), now).kind, 'wait');
});

test.run();
