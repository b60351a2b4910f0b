// The scalar values of field types. Each states its rule twice, for zod and for JSON Schema, and the two must match
// exactly: the patterns keep to syntax that every regular expression dialect reads alike.
import { z } from 'zod';
import type { FieldConfig } from '../config/site-config.ts';
import { DATE_PATTERN } from '../lib/time/date-time.ts';
import { compilePattern } from './patterns.ts';

/** JSON Schema keywords that zod cannot express, by zod schema; one registry for each compilation. */
export type Keywords = z.core.$ZodRegistry<Record<string, unknown>>;

/**
 * Absolute http(s) URLs, and paths of the site itself. No other scheme, because these values end up in `href` and
 * `src`.
 */
const URL_PATTERN =
  /^(?:[hH][tT][tT][pP][sS]?:[/][/][^\x00-\x20\x7f"<>\\/?#]+(?:[/?#][^\x00-\x20\x7f"<>\\]*)?|[/](?:[^\x00-\x20\x7f"<>\\/][^\x00-\x20\x7f"<>\\]*)?)$/;

/** decisions.md section 4: a slug has no `..` and no dot at its end. */
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9_-]*(?:[.][a-z0-9_-]+)*$/;
const SLUG_MAX_BYTES = 200;

/** As browsers check an address (HTML, "valid e-mail address"), with a length that mail allows. */
const EMAIL_PATTERN =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:[.][a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?){0,10}$/;

const COLOR_PATTERN = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

export function emailValue(): z.ZodString {
  return z.string('expected an e-mail address').regex(EMAIL_PATTERN, 'expected an e-mail address like ada@example.com');
}

/** The notations that every browser and every native colour picker read alike. */
export function colorValue(): z.ZodString {
  return z.string('expected a colour').regex(COLOR_PATTERN, 'expected a colour like #1f6feb, #fff or #1f6feb80');
}

/** Any JSON; null counts as missing, as everywhere. */
export function jsonValue(keywords: Keywords): z.ZodType {
  const value = z.unknown().refine((found) => found !== null);
  keywords.add(value, { type: ['string', 'number', 'boolean', 'object', 'array'] });
  return value;
}

export function urlValue(): z.ZodString {
  return z.string('expected a URL').regex(URL_PATTERN, 'expected an http or https URL, or a path that starts with "/"');
}

export function dateValue(): z.ZodString {
  return z
    .string('expected a date')
    .regex(DATE_PATTERN, 'expected an ISO 8601 date or date-time, like 2026-03-01 or 2026-03-01T09:30:00Z');
}

export function slugValue(): z.ZodString {
  return z
    .string('expected a slug')
    .regex(SLUG_PATTERN, 'expected a slug')
    .max(SLUG_MAX_BYTES, `expected at most ${SLUG_MAX_BYTES} characters`);
}

/** Limits a string's length in code points, as JSON Schema counts; zod itself counts UTF-16 units. */
export function withLength<T extends z.ZodString>(schema: T, field: FieldConfig, keywords: Keywords): T {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  if (minLength === 0 && maxLength === Number.POSITIVE_INFINITY) return schema;
  const limited = schema.refine((value) => isWithin(value, minLength, maxLength), {
    error: () => lengthMessage(minLength, maxLength, 'characters'),
  });
  keywords.add(limited, {
    ...(minLength > 0 && { minLength }),
    ...(maxLength < Number.POSITIVE_INFINITY && { maxLength }),
  });
  return limited;
}

/** A string that the field's own pattern matches; JSON Schema has the same pattern. */
export function withPattern<T extends z.ZodType>(schema: T, field: FieldConfig, keywords: Keywords): T {
  if (!field.pattern) return schema;
  const { value: pattern, message } = field.pattern;
  const matches = compilePattern(pattern);
  const said = message ?? `expected a text that matches ${pattern}`;
  const limited = schema.check((check) => {
    if (typeof check.value !== 'string') return;
    const found = matches(check.value);
    if (found) return;
    const problem = found === undefined ? 'is too long for the pattern of this field' : said;
    check.issues.push({ code: 'custom', input: check.value, message: problem });
  });
  // A type with a pattern of its own has both.
  keywords.add(limited, { ...keywords.get(limited), allOf: [{ pattern }] });
  return limited;
}

/** A string of n UTF-16 units has between n/2 and n code points; count them only if a limit lies in between. */
function isWithin(value: string, min: number, max: number): boolean {
  if (value.length < min || Math.ceil(value.length / 2) > max) return false;
  if (value.length <= max && Math.ceil(value.length / 2) >= min) return true;
  let count = 0;
  for (const _ of value) count++;
  return count >= min && count <= max;
}

/**
 * Limits the number of a list's items. On lists both pairs of limits count items: authors write `max: 3` on a gallery
 * and `maxLength: 3` on tags and mean the same.
 */
export function withCount<T extends z.ZodType>(schema: z.ZodArray<T>, field: FieldConfig): z.ZodArray<T> {
  const min = Math.max(0, Math.ceil(Math.max(field.minLength ?? 0, field.min ?? 0)));
  const max = Math.max(
    0,
    Math.floor(Math.min(field.maxLength ?? Number.POSITIVE_INFINITY, field.max ?? Number.POSITIVE_INFINITY)),
  );
  const message = lengthMessage(min, max, 'items');
  const atLeast = min > 0 ? schema.min(min, message) : schema;
  return max < Number.POSITIVE_INFINITY ? atLeast.max(max, message) : atLeast;
}

export function numberValue(min: number | undefined, max: number | undefined): z.ZodNumber {
  const number = z.number('expected a number');
  const atLeast = min === undefined ? number : number.min(min, `expected a number of at least ${min}`);
  return max === undefined ? atLeast : atLeast.max(max, `expected a number of at most ${max}`);
}

function lengthMessage(min: number, max: number, unit: string): string {
  if (max === Number.POSITIVE_INFINITY) return `expected at least ${min} ${unit}`;
  return min > 0 ? `expected ${min} to ${max} ${unit}` : `expected at most ${max} ${unit}`;
}
