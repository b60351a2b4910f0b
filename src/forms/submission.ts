// A submission: the record as it is stored, one file each (interface.md, "Form definition"; decisions.md, "Forms"). The
// keys of a file are in the schema's order.
import { z } from 'zod';
import { parseStoredJson } from '../lib/stored-json.ts';

export const SUBMISSION_STATUSES = ['new', 'read', 'archived'] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** Checkboxes are booleans, numbers are numbers, everything else is text. Fields that were left empty are absent. */
export type SubmissionValue = string | number | boolean;

export const SubmissionRecord = z
  .object({
    id: z.string(),
    form: z.string(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    status: z.enum(SUBMISSION_STATUSES),
    /** Eight hex digits of a salted SHA-256; the address itself is stored nowhere. */
    ipHash: z.string(),
    userAgent: z.string(),
    createdAt: z.iso.datetime(),
    /** When the status first became `read`. */
    readAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'FormSubmission' });

export type Submission = z.output<typeof SubmissionRecord>;

/** Parses a file; returns undefined if it is not a submission. */
export function parseSubmission(text: string): Submission | undefined {
  return parseStoredJson(SubmissionRecord, text);
}

/** An id in a path or file name. No other text is ever looked up on the disk. */
const ID = /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/;
/** The same as `Name` of the configuration. */
const FORM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

export function isSubmissionId(text: string): boolean {
  return ID.test(text);
}

export function isFormName(text: string): boolean {
  return FORM.test(text);
}

/** Crockford's digits: no two differ only in case. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const OURS = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * 26 characters: the time in milliseconds, so that names sort in order of arrival, then 80 random bits, so that nobody
 * can guess an id.
 */
export function toSubmissionId(atMs: number, random: Uint8Array): string {
  let time = '';
  for (let rest = atMs, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) time = DIGITS[rest % 32] + time;
  return time + Array.from(random.subarray(0, 16), (byte) => DIGITS[byte % 32]).join('');
}

/** The time that our ids begin with; undefined for an id that the service did not make. */
export function timeOfId(id: string): number | undefined {
  if (!OURS.test(id)) return undefined;
  let atMs = 0;
  for (const digit of id.slice(0, TIME_DIGITS)) atMs = atMs * 32 + DIGITS.indexOf(digit);
  return atMs;
}
