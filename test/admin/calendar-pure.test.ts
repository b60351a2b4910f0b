// The parts of the calendar that need no browser.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { refreshFor } from '../../src/admin/api/refresh-for.ts';
import {
  addDays,
  addMonths,
  firstWeekdayOf,
  moveInMonth,
  parseMonth,
  weekdayOf,
  weeksOf,
} from '../../src/admin/screens/calendar/month.ts';
import {
  byDay,
  dayOf,
  isDocument,
  listScheduled,
  type PlannedEvent,
  toMoved,
  toPlannedUrl,
} from '../../src/admin/screens/calendar/planned.ts';

const COPENHAGEN = 'Europe/Copenhagen';
const days = fc.date({ min: new Date('2001-01-01'), max: new Date('2999-01-01'), noInvalidDate: true });
const toDay = (date: Date): string => date.toISOString().slice(0, 10);

test('a month is whole weeks that begin on the day of the region, and have each of its days once', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 7 }), (date, first) => {
      const month = toDay(date).slice(0, 7);
      const weeks = weeksOf(month, first);
      assert.ok(weeks.every((week) => week.length === 7 && weekdayOf(week[0]!) === first));
      const own = weeks.flat().filter((day) => day.startsWith(month));
      assert.is(own[0], `${month}-01`);
      assert.is(addDays(own.at(-1)!, 1), addMonths(`${month}-01`, 1));
      assert.ok(weeks[0]!.includes(`${month}-01`) && weeks.at(-1)!.includes(own.at(-1)!));
    }),
  );
  assert.is(weeksOf('2026-02', 7).length, 4);
  assert.equal(['en-GB', 'de', 'en-US', 'fa-IR'].map(firstWeekdayOf), [1, 1, 7, 6]);
  assert.equal(['2026-11', '2026-13', '26-1', '', undefined].map(parseMonth), ['2026-11', ...Array(4).fill(undefined)]);
});

test('keys lead through days, weeks, months and years', () => {
  const press = (key: string, more: { shiftKey?: boolean; isMirrored?: boolean; day?: string } = {}) =>
    moveInMonth({ key, shiftKey: more.shiftKey ?? false }, more.day ?? '2026-01-31', {
      firstWeekday: 1,
      isMirrored: more.isMirrored ?? false,
    });
  assert.equal(
    ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => press(key)),
    ['2026-02-01', '2026-01-30', '2026-02-07', '2026-01-24'],
  );
  assert.is(press('ArrowRight', { isMirrored: true }), '2026-01-30');
  assert.equal(
    ['Home', 'End', 'PageDown', 'PageUp'].map((key) => press(key)),
    ['2026-01-26', '2026-02-01', '2026-02-28', '2025-12-31'],
  );
  assert.is(press('PageDown', { shiftKey: true, day: '2028-02-29' }), '2029-02-28');
  assert.is(press('x'), undefined);
});

test('an event stands on its day in the time zone of the site', () => {
  const late: PlannedEvent = { at: '2026-11-30T23:30:00.000Z', kind: 'publish', collection: 'posts', slug: 'a' };
  const job: PlannedEvent = { at: '2026-12-01T03:00:00.000Z', kind: 'backup' };
  assert.equal([...byDay([late, job], COPENHAGEN).keys()], ['2026-12-01']);
  assert.equal([dayOf(late.at, 'UTC'), isDocument(late), isDocument(job)], ['2026-11-30', true, false]);
  const url = new URL(toPlannedUrl('2026-11', 1), 'http://x');
  assert.is(url.searchParams.get('from'), '2026-10-25T00:00:00Z');
});

test('the list has what is past due first, once, and goes on from today or from the month that is shown', () => {
  const event = (at: string, slug: string, more: Partial<PlannedEvent> = {}): PlannedEvent => ({
    ...{ at, slug, kind: 'publish', collection: 'posts' },
    ...more,
  });
  const old = event('2026-10-01T00:00:00.000Z', 'old', { overdue: true });
  const due = event('2026-11-27T00:00:00.000Z', 'due', { overdue: true });
  const soon = event('2026-11-28T00:00:00.000Z', 'soon');
  const later = event('2026-12-02T00:00:00.000Z', 'later');
  const all = { planned: [due, soon, later], due: [old, due], zone: 'UTC' };
  const slugs = (month: string) => listScheduled(all, month, '2026-11-27').map(({ slug }) => slug);
  assert.equal(slugs('2026-11'), ['old', 'due', 'soon', 'later']);
  assert.equal(slugs('2026-12'), ['old', 'due', 'later']);
});

test('another day keeps the time on the clocks of the site, to the millisecond, and is never in the past', () => {
  const now = '2026-03-01T00:00:00.000Z';
  // The clocks go forward on 29 March, at two o'clock.
  assert.equal(toMoved('2026-03-28T13:30:15.250Z', '2026-03-30', COPENHAGEN, now), { at: '2026-03-30T12:30:15.250Z' });
  assert.equal(toMoved('2026-03-28T01:30:00.000Z', '2026-03-29', COPENHAGEN, now), { problem: 'gap' });
  assert.equal(toMoved('2026-03-28T13:30:00.000Z', '2026-02-28', COPENHAGEN, now), { problem: 'past' });
  fc.assert(
    fc.property(days, days, fc.constantFrom('UTC', COPENHAGEN, 'America/New_York', 'Asia/Kolkata'), (at, to, zone) => {
      const moved = toMoved(at.toISOString(), toDay(to), zone, '2000-01-01T00:00:00.000Z');
      if ('problem' in moved) assert.is(moved.problem, 'gap');
      else assert.is(dayOf(moved.at, zone), toDay(to));
    }),
  );
});

test('jobs and changes of documents make the calendar old', () => {
  assert.equal(refreshFor('job'), ['/api/cms/scheduled']);
});

test.run();
