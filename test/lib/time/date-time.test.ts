// Which instants can be stored.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hasLater, instantOf, isDateTime, isWritable, withTime } from '../../../src/lib/time/date-time.ts';

test('an instant is written with four digits for the year, in UTC, or not at all', () => {
  for (const text of ['0000-01-01T00:00:00Z', '2026-01-31T09:00:00+02:00', '2026-01-31', '9999-12-31T23:59:59.999Z']) {
    assert.ok(isWritable(text), text);
    assert.is(new Date(text).toISOString().length, 24, text);
  }
  for (const text of ['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '+010000-01-01T00:00:00Z', 'soon']) {
    assert.not(isWritable(text), text);
  }
});

test('a document changed on the last possible day could not be changed again', () => {
  assert.ok(hasLater('9999-12-30T23:59:59.999Z'));
  assert.not(hasLater('9999-12-31T00:00:00.000Z'));
  assert.not(hasLater('soon'));
});

test('a file may have a day alone, or a time with its zone', () => {
  for (const text of ['2026-01-31', '2026-01-31T09:00Z', '2026-01-31T09:00:00.5+02:00'])
    assert.ok(isDateTime(text), text);
  for (const value of [
    '2026-02-30',
    '2026-02-29T09:00Z',
    '2026-13-01',
    '2026-1-31',
    '2026-01-31T09:00',
    '2026-01-31T09Z',
    '0000-01-01T00:00+00:01',
    2026,
    null,
  ]) {
    assert.not(isDateTime(value), String(value));
  }
});

test('a day that exists is an instant, in UTC without a zone wherever the machine is', () => {
  const zone = process.env.TZ;
  for (const place of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
    process.env.TZ = place;
    const day = Date.UTC(2026, 0, 31);
    for (const [text, expected] of [
      ['2026-01-31', day],
      ['2026-01-31T09:30', day + 9.5 * 3600_000],
      ['2026-01-31T09:30:00.25', day + 9.5 * 3600_000 + 250],
      ['2026-01-31T09:30Z', day + 9.5 * 3600_000],
      ['2026-01-31T09:30+02:00', day + 7.5 * 3600_000],
      ['2024-02-29', Date.UTC(2024, 1, 29)],
    ] as const) {
      assert.is(instantOf(text), expected, `${text} in ${place}`);
    }
    for (const text of ['2026-02-31', '2026-01-02junk', '2025-02-29', '2026-01-31T24:00', '2026-01-31 09:30', '']) {
      assert.is(instantOf(text), undefined, text);
    }
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('a short form gets its time, and any other text stays', () => {
  assert.is(withTime('2026-01-31'), '2026-01-31T00:00:00Z');
  assert.is(withTime('2026-01-31T09:30+02:00'), '2026-01-31T09:30:00+02:00');
  for (const text of ['2026-01-31T09:30:00Z', '2026-01-31T09:30', 'soon']) assert.is(withTime(text), text);
});

test.run();
