// What clients and files may write for a date-time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DateTimeInput, FileDateTimeInput } from '../../../src/lib/time/date-time-input.ts';

const parsed = (schema: typeof DateTimeInput | typeof FileDateTimeInput, value: unknown): string | undefined =>
  schema.safeParse(value).data;

test('a date-time becomes one in UTC with milliseconds', () => {
  for (const schema of [DateTimeInput, FileDateTimeInput]) {
    assert.is(parsed(schema, '2026-01-31T09:00:00+02:00'), '2026-01-31T07:00:00.000Z');
    for (const value of ['2026-02-30T00:00:00Z', '0000-01-01T00:00:00+00:01', '2026-01-31T09:00:00', 'soon', 1, null]) {
      assert.is(parsed(schema, value), undefined, String(value));
    }
  }
});

test('files may leave out the time, or its seconds; clients may not', () => {
  const short = { '2026-01-31': '2026-01-31T00:00:00.000Z', '2026-01-31T09:00Z': '2026-01-31T09:00:00.000Z' };
  for (const [text, full] of Object.entries(short)) {
    assert.is(parsed(FileDateTimeInput, text), full);
    assert.is(parsed(DateTimeInput, text), undefined);
  }
  assert.is(parsed(FileDateTimeInput, '2026-02-30'), undefined);
});

test.run();
