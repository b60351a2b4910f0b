// Date-times that clients and imported files give, as zod schemas. What is parsed is ISO 8601 in UTC with milliseconds.
// Apart from date-time.ts, because threads load that one and have no use for zod.
import { z } from 'zod';
import { isWritable, withTime } from './date-time.ts';

/** An ISO 8601 date-time with seconds and a zone, in a year of four digits. */
export const DateTimeInput = z.iso
  .datetime({ offset: true, abort: true, error: 'expected an ISO 8601 date-time such as 2026-01-31T09:00:00Z' })
  .refine(isWritable, 'expected a date-time that exists, in a year of four digits')
  .transform((text) => new Date(text).toISOString());

/** The same, and the shorter forms that a document's file may have: a day alone, a time without seconds. */
export const FileDateTimeInput = z.preprocess(
  (value) => (typeof value === 'string' ? withTime(value) : value),
  DateTimeInput,
);
