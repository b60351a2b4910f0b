// Checks sent fields against a form's definition. Pure, and so without patterns: matching a regular expression against
// a stranger's text may take forever, so they are returned to be tested where a test can be stopped (patterns.ts).
import type { FormConfig, FormFieldConfig } from '../config/form-config.ts';
import type { Problem } from '../lib/errors.ts';
import type { SubmissionValue } from './submission.ts';

/** The fields of a body, sent as JSON or by an HTML form. */
export interface SentFields {
  values: Readonly<Record<string, unknown>>;
  /** Names that came more than once, which only happens with HTML forms. */
  repeated: ReadonlySet<string>;
}

export interface PatternCheck {
  field: string;
  pattern: string;
  text: string;
}

export interface CheckedFields {
  /** In the definition's order, without empty fields and fields that the definition lacks. */
  data: Record<string, SubmissionValue>;
  /** One for each invalid field; `path` is the field's name. */
  problems: Problem[];
  /** The patterns of the fields that are valid so far. */
  patterns: PatternCheck[];
}

type Read = { value: SubmissionValue } | { problem: string } | undefined;

/** WHATWG HTML, "valid email address", which browsers apply to an e-mail field. Linear in the length of the text. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
/** RFC 5321, section 4.5.3.1.3, less the angle brackets. */
const MAX_EMAIL_CHARS = 254;
/** Servers accept no longer ones. */
const MAX_URL_CHARS = 8192;
/** WHATWG HTML, "valid floating-point number", and the plus sign that people type. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const MAX_NUMBER_CHARS = 100;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** As people write numbers, with an extension; E.164 has at most 15 digits. */
const PHONE = /^\+?[\d\s()./-]{3,40}(?:(?:x|ext\.?|#)\s?\d{1,10})?$/i;

const CHECKED = new Set(['on', 'true', '1', 'yes']);
const UNCHECKED = new Set(['off', 'false', '0', 'no']);

export function checkFields({ fields }: Pick<FormConfig, 'fields'>, sent: SentFields): CheckedFields {
  const data: [string, SubmissionValue][] = [];
  const problems: Problem[] = [];
  const patterns: PatternCheck[] = [];
  for (const field of fields) {
    const { name: path, required = false, validation = {} } = field;
    const read = sent.repeated.has(path) ? { problem: 'was given more than once' } : readField(field, sent);
    if (read === undefined || (required && isBlank(read))) {
      if (required) problems.push({ path, message: 'is required' });
      continue;
    }
    const problem = 'problem' in read ? read.problem : lengthProblem(validation, read.value);
    if (problem !== undefined) problems.push({ path, message: problem });
    else if ('value' in read) {
      data.push([path, read.value]);
      if (validation.pattern !== undefined && typeof read.value !== 'boolean') {
        patterns.push({ field: path, pattern: validation.pattern, text: String(read.value) });
      }
    }
  }
  return { data: Object.fromEntries(data), problems, patterns };
}

/** True if the honeypot `field` was filled in at all: people do not fill in a field that they cannot see. */
export function isCaught({ values, repeated }: SentFields, field: string): boolean {
  const value = Object.hasOwn(values, field) ? values[field] : undefined;
  return repeated.has(field) || (value !== undefined && value !== null && value !== '');
}

/** True for a box that is not ticked, and a text of spaces. */
function isBlank(read: Exclude<Read, undefined>): boolean {
  if (!('value' in read)) return false;
  return read.value === false || (typeof read.value === 'string' && read.value.trim() === '');
}

/** Returns undefined if the field was left empty. */
function readField(field: FormFieldConfig, { values }: SentFields): Read {
  const { name, type, defaultValue } = field;
  // A hidden field has the definition's value; a page may set one only if the definition has none.
  if (type === 'hidden' && defaultValue !== undefined) return { value: defaultValue };
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  // A browser sends nothing for a box that is not ticked.
  if (type === 'checkbox') return readCheckbox(value);
  if (value === undefined || value === null || value === '') return undefined;
  if (type === 'number') return readNumber(value);
  if (type === 'hidden' && (typeof value === 'number' || typeof value === 'boolean')) return { value };
  if (typeof value !== 'string') return { problem: 'must be a string' };
  if (value.includes('\0')) return { problem: 'must not contain a NUL character' };
  // Forms send line ends as CRLF, scripts as LF; lengths count a line end as one character.
  const text = type === 'textarea' ? withNewlines(value) : value;
  const problem = textProblem(field, text);
  return problem === undefined ? { value: text } : { problem };
}

/** Byte by byte: a regular expression needs a tenth of a second for a megabyte of line ends. */
function withNewlines(text: string): string {
  if (!text.includes('\r')) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const isReturn = bytes[i] === 13;
    bytes[length++] = isReturn ? 10 : bytes[i]!;
    if (isReturn && bytes[i + 1] === 10) i++;
  }
  return bytes.toString('utf8', 0, length);
}

function readCheckbox(value: unknown): Read {
  if (value === undefined || value === null || value === '') return { value: false };
  if (typeof value === 'boolean') return { value };
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (CHECKED.has(word as string)) return { value: true };
  if (UNCHECKED.has(word as string)) return { value: false };
  return { problem: 'must be true or false' };
}

function readNumber(value: unknown): Read {
  if (typeof value === 'number') return { value };
  const text = typeof value === 'string' && value.length <= MAX_NUMBER_CHARS ? value.trim() : '';
  const number = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(number)) return { problem: 'must be a number' };
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return { problem: 'is too large a number' };
  return { value: number };
}

function textProblem({ type, options = [] }: FormFieldConfig, text: string): string | undefined {
  switch (type) {
    case 'email':
      return text.length <= MAX_EMAIL_CHARS && EMAIL.test(text) ? undefined : 'must be an e-mail address';
    case 'url':
      return isWebAddress(text) ? undefined : 'must be an address that begins with http:// or https://';
    case 'date':
      return isDay(text) ? undefined : 'must be a date like 2026-01-31';
    case 'phone':
      return PHONE.test(text) && text.replace(/\D/g, '').length >= 3 ? undefined : 'must be a telephone number';
    case 'select':
      return options.some(({ value }) => value === text) ? undefined : 'must be one of the options';
    default:
      return undefined;
  }
}

function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL_CHARS && /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}

function isDay(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** In code points, as the lengths of documents are. */
function lengthProblem(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: NonNullable<FormFieldConfig['validation']>,
  value: SubmissionValue,
): string | undefined {
  if (typeof value === 'boolean') return undefined;
  const length = countCodePoints(String(value));
  const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;
  if (length < minLength) return `must have at least ${characters(minLength)}`;
  if (length > maxLength) return `must have at most ${characters(maxLength)}`;
  return undefined;
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}
