// The feed that subscribers of the calendar get, read by a strict parser.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import type { StoredDocument } from '../../src/content/document.ts';
import { toRow } from '../../src/content/rows/row.ts';
import { type CalendarEvent, type EventParts, type KnownEvent, listEvents, revise } from '../../src/schedule/events.ts';
import { calendarText } from '../../src/schedule/ics.ts';
import { nextRuns } from '../../src/schedule/job-state.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { makeStored } from '../content/world.ts';
import { CONFIG } from '../support/world.ts';
import { readCalendar } from './ics-reader.ts';

const POSTS = compileSite(parseConfig(CONFIG)).collections.get('posts')!;
const NOW = new Date('2026-01-02T12:00:00.000Z');
const SOON = '2026-01-03T08:00:00.000Z';

function makeEvents(change: Partial<EventParts> & { docs?: Partial<StoredDocument>[] } = {}): CalendarEvent[] {
  const rows = (change.docs ?? []).map((doc) => toRow(makeStored(POSTS, doc), 'e', POSTS));
  return listEvents({
    site: { id: 'default', org: 'acme' },
    waiting: (kind) => rows.filter((row) => row[kind === 'publish' ? 'publishAt' : 'unpublishAt'] !== undefined),
    describe: (row) => ({ title: JSON.parse(row.body.toString()).data.title, collectionLabel: 'Posts' }),
    jobs: [],
    ...change,
  });
}

function makeKnown(change: Partial<KnownEvent> = {}): KnownEvent {
  return {
    uid: 'a@x',
    start: SOON,
    summary: 'Publish: T',
    description: 'Posts: a\nSite: default',
    sequence: 0,
    changedAt: '2026-01-01T00:00:00.000Z',
    ...change,
  };
}

const read = (events: KnownEvent[], timezone = 'UTC', address?: string) =>
  readCalendar([...calendarText({ name: 'Colophon default', timezone, address, events })].join(''));

test('publication and withdrawal of a document are two events with their own UIDs, which link to it', () => {
  const docs = [{ publishAt: SOON, unpublishAt: '2026-02-03T08:00:00.000Z', updatedAt: '2026-01-01T10:00:00.000Z' }];
  const { events, method, name } = read(revise([], makeEvents({ docs })), 'UTC', 'https://cms.example.com');
  assert.equal([method, name], ['PUBLISH', 'Colophon default']);
  assert.equal(events, [
    {
      uid: 'a1B2c3D4e5F6.publish.default.acme@colophon',
      summary: 'Publish: T',
      description: 'Posts: a\nSite: default',
      start: SOON,
      end: '2026-01-03T08:15:00.000Z',
      zone: 'UTC',
      sequence: 0,
      stamp: '2026-01-01T10:00:00.000Z',
      lastModified: '2026-01-01T10:00:00.000Z',
      url: 'https://cms.example.com/api/cms/posts/a?site=default',
    },
    {
      uid: 'a1B2c3D4e5F6.unpublish.default.acme@colophon',
      summary: 'Unpublish: T',
      description: 'Posts: a\nSite: default',
      start: '2026-02-03T08:00:00.000Z',
      end: '2026-02-03T08:15:00.000Z',
      zone: 'UTC',
      sequence: 0,
      stamp: '2026-01-01T10:00:00.000Z',
      lastModified: '2026-01-01T10:00:00.000Z',
      url: 'https://cms.example.com/api/cms/posts/a?site=default',
    },
  ]);
});

test('any title survives unchanged, and long lines are folded between characters', () => {
  const titles = [
    'a, b; c \\ d "e" f: g',
    'one\ntwo\nBEGIN:VEVENT\nEND:VCALENDAR',
    '🎉'.repeat(300),
    'ü'.repeat(300),
    '漢字'.repeat(150),
    'x'.repeat(300),
    '\\n \\, \\;',
    'zwj 👩‍👩‍👧‍👦'.repeat(20),
    'tab\tin it',
    '',
    '\u2028 and \u2029',
  ];
  for (const title of titles) {
    const { events } = read(revise([], makeEvents({ docs: [{ publishAt: SOON, data: { title } }] })));
    assert.equal(
      events.map(({ summary }) => summary),
      [`Publish: ${title}`],
    );
  }
  // The fold falls at a different place for each length.
  for (let length = 1; length < 80; length++) {
    const title = `${'x'.repeat(length)}${'é漢🎉'.repeat(12)}`;
    assert.is(read([makeKnown({ summary: title })]).events[0]?.summary, title);
  }
});

test('characters that a calendar cannot hold are removed from a title, and a very long title is cut', () => {
  const summaries = ['a\u0000b\u001b\u007fc\u0085d', 'one\r\ntwo\rthree', '🎉'.repeat(2000)].map(
    (title) => read(revise([], makeEvents({ docs: [{ publishAt: SOON, data: { title } }] }))).events[0]?.summary,
  );
  assert.equal(summaries.slice(0, 2), ['Publish: abcd', 'Publish: one\ntwo\nthree']);
  assert.ok(summaries[2] === `Publish: ${'🎉'.repeat(500)}…`, `${summaries[2]?.length} characters`);
});

test('events are in the time zone of the site with its rules, and mean the same moment', () => {
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'US/Pacific']) {
    const starts = Array.from({ length: 400 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day, day % 24, 30)));
    const known = starts.map((start, i) => makeKnown({ uid: `${i}@x`, start: start.toISOString() }));
    const { events } = read(known, timezone);
    assert.equal(
      events.map(({ start }) => start),
      known.map(({ start }) => start),
    );
    const local = events.filter(({ zone }) => zone !== 'UTC').length;
    assert.ok(local > 390, `${timezone}: ${local} of 400 are in local time`);
  }
});

test('moments stay the same in the hour that comes twice, and in zones that no rule describes', () => {
  for (const [timezone, from] of [
    ['Europe/Berlin', Date.UTC(2026, 9, 24, 22)],
    ['Europe/Berlin', Date.UTC(2026, 2, 28, 22)],
    ['Africa/Casablanca', Date.UTC(2026, 1, 10)],
    ['Etc/GMT+5', Date.UTC(2026, 1, 10)],
    ['Etc/UTC', Date.UTC(2026, 1, 10)],
  ] as const) {
    const known = Array.from({ length: 30 }, (_, i) =>
      makeKnown({ uid: `${i}@x`, start: new Date(from + i * 20 * 60_000).toISOString() }),
    );
    assert.equal(
      read(known, timezone).events.map(({ start }) => start),
      known.map(({ start }) => start),
      timezone,
    );
  }
});

test('an event keeps its sequence until it is moved or renamed, and then gets a higher one', () => {
  const first = revise([], makeEvents({ docs: [{ publishAt: SOON }] }));
  const touched = revise(first, makeEvents({ docs: [{ publishAt: SOON, updatedAt: '2026-01-02T13:00:00.000Z' }] }));
  assert.equal(touched, first);
  const later = { publishAt: '2026-01-04T08:00:00.000Z', updatedAt: '2026-01-02T14:00:00.000Z' };
  const moved = revise(first, makeEvents({ docs: [later] }));
  assert.equal(
    moved.map(({ uid, sequence, changedAt }) => [uid, sequence, changedAt]),
    [[first[0]!.uid, 1, '2026-01-02T14:00:00.000Z']],
  );
  const renamed = revise(moved, makeEvents({ docs: [{ ...later, data: { title: 'Other' } }] }));
  assert.equal([renamed[0]?.sequence, renamed[0]?.summary], [2, 'Publish: Other']);
  assert.equal(revise(renamed, []), []);
});

test('the feed has the coming matches of each job, for four weeks and fifty at most', () => {
  const setAt = '2026-01-01T00:00:00.000Z';
  const jobs = (
    [
      ['backup', 'Backup', '0 3 * * *'],
      ['link-check', 'Link check', '*/10 * * * *'],
    ] as const
  ).map(([name, label, schedule]) => ({
    job: { name, label },
    setAt,
    runs: nextRuns({ schedule, timezone: 'Europe/Berlin', setAt, after: setAt }, NOW),
  }));
  const { events } = read(revise([], makeEvents({ jobs })), 'Europe/Berlin');
  const backups = events.filter(({ summary }) => summary === 'Backup');
  assert.is(backups.length, 28);
  assert.equal(
    [backups[0]?.uid, backups[0]?.start, backups[0]?.stamp],
    ['20260103T020000.backup.default.acme@colophon', '2026-01-03T02:00:00.000Z', setAt],
  );
  assert.is(events.filter(({ summary }) => summary === 'Link check').length, 50);
});

test('an empty calendar is valid', () => {
  assert.equal(read([]).events, []);
  assert.equal(read([], 'Europe/Berlin').events, []);
});

test.run();
