// Schedules on the days with an hour too few or too many.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cronProblem, isTimeZone, lastMatch, matchesAfter, nextMatch } from '../../../src/lib/time/cron.ts';

const BERLIN = 'Europe/Berlin';

/** Every match for which a job runs if it is checked once a minute. */
function runsBetween(expression: string, timeZone: string, from: string, to: string): string[] {
  let anchor = new Date(from);
  const runs: string[] = [];
  for (let now = Date.parse(from); now <= Date.parse(to); now += 60_000) {
    const match = nextMatch(expression, timeZone, anchor);
    if (match.getTime() > now) continue;
    runs.push(match.toISOString());
    anchor = lastMatch(expression, timeZone, match, new Date(now));
  }
  return runs;
}

test('half past two comes once on the day that skips it, right after the gap', () => {
  assert.equal(runsBetween('30 2 * * *', BERLIN, '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'), [
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
});

test('half past two comes once on the day that has it twice, at the first', () => {
  assert.equal(runsBetween('30 2 * * *', BERLIN, '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
});

test('every hour means every hour, including the one that comes twice', () => {
  assert.is(runsBetween('5 * * * *', BERLIN, '2026-10-24T22:00:00Z', '2026-10-25T04:00:00Z').length, 6);
});

test('a zone that moves by half an hour has one run a day', () => {
  const runs = runsBetween('45 1 * * *', 'Australia/Lord_Howe', '2026-04-02T12:00:00Z', '2026-04-07T12:00:00Z');
  assert.is(runs.length, 5);
});

test('many missed matches count as one, and the next one is in the future', () => {
  const now = new Date('2026-10-25T01:10:00Z');
  const missed = nextMatch('30 2 * * *', BERLIN, new Date('2026-10-01T00:00:00Z'));
  const anchor = lastMatch('30 2 * * *', BERLIN, missed, now);
  // In twenty minutes the clock shows half past two again; the first time was an hour before that.
  assert.is(nextMatch('30 2 * * *', BERLIN, anchor).toISOString(), '2026-10-26T01:30:00.000Z');
});

test('a year of missed minutes takes no longer than a few hours of them', () => {
  const anchor = lastMatch('* * * * *', 'UTC', new Date('2025-01-01T00:00:00Z'), new Date('2026-01-01T00:00:30Z'));
  assert.is(nextMatch('* * * * *', 'UTC', anchor).toISOString(), '2026-01-01T00:01:00.000Z');
});

test('matches are listed until a given day, up to a limit', () => {
  const all = matchesAfter('0 3 * * *', BERLIN, new Date('2026-01-01T00:00:00Z'), new Date('2026-01-10T00:00:00Z'), 50);
  assert.is(all.length, 9);
  assert.is(all[0]?.toISOString(), '2026-01-01T02:00:00.000Z');
  const few = matchesAfter('* * * * *', 'UTC', new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z'), 3);
  assert.is(few.length, 3);
});

test('an expression that is not valid, or never matches, is refused with the reason', () => {
  for (const good of ['0 3 * * *', '*/15 8-18 * * MON-FRI', '0 9 * * THU', '0 0 29 2 *', '@daily', '0 0 L * *']) {
    assert.is(cronProblem(good), undefined, good);
  }
  const bad = [
    '',
    ' ',
    'daily',
    '@secondly',
    '* * * *',
    '* * * * * *',
    'H 3 * * *',
    '0 H * * THU',
    '60 * * * *',
    '0 0 30 2 *',
    'a b c d e',
  ];
  for (const expression of bad) assert.type(cronProblem(expression), 'string', expression);
});

test('a time zone is one that the runtime knows', () => {
  for (const good of ['UTC', BERLIN, 'America/New_York', 'Asia/Kolkata']) assert.ok(isTimeZone(good), good);
  for (const bad of ['', 'Nowhere/Else', 'CET+7', '../etc', '+01:00']) assert.not(isTimeZone(bad), bad);
});

test.run();
