// What visitors sent, as people read it. Whatever it looks like, it is text: only addresses that are checked here become
// links. Pure.
import type { FormFields, FormSubmission } from './form-entry.ts';

type Data = FormSubmission['data'];
type FormField = FormFields[number];

export interface ShownValue {
  name: string;
  label: string;
  text: string;
  /** To write to an address, or to open a page. */
  href?: string;
}

export interface ValueWords {
  yes: string;
  no: string;
  /** The subject of an answer. */
  subject: string;
}

/** Fields of the form in its order, then those that it no longer has, by name. */
export function toShownValues(data: Data, fields: FormFields, words: ValueWords): ShownValue[] {
  const known = fields.filter(({ name }) => Object.hasOwn(data, name));
  const others = Object.keys(data)
    .filter((name) => !fields.some((field) => field.name === name))
    .sort();
  return [
    ...known.map((field) => toShown(field.name, data[field.name]!, field, words)),
    ...others.map((name) => toShown(name, data[name]!, undefined, words)),
  ];
}

function toShown(name: string, value: Data[string], field: FormField | undefined, words: ValueWords): ShownValue {
  const text = toText(value, field, words);
  const href = typeof value === 'string' ? toHref(value, field?.type, words.subject) : undefined;
  return { name, label: field?.label ?? name, text, ...(href === undefined ? {} : { href }) };
}

function toText(value: Data[string], field: FormField | undefined, { yes, no }: ValueWords): string {
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
  return field?.options?.find((option) => option.value === value)?.label ?? value;
}

function toHref(value: string, type: FormField['type'] | undefined, subject: string): string | undefined {
  if ((type === undefined || type === 'email' || type === 'text') && isEmail(value)) return toMailto(value, subject);
  return type === 'url' && isPage(value) ? value : undefined;
}

const EMAIL = /^[^\s@<>()[\]\\,;:"?&#%]{1,64}@[^\s@<>()[\]\\,;:"?&#%]{1,250}$/;

export function isEmail(text: string): boolean {
  return EMAIL.test(text) && /[^.]\.[^.]+$/.test(text);
}

export function toMailto(address: string, subject: string): string {
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}?subject=${encodeURIComponent(subject)}`;
}

function isPage(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** The address that the visitor gave as theirs. */
export function findReplyTo(data: Data, fields: FormFields): string | undefined {
  const byType = fields.filter(({ type }) => type === 'email').map(({ name }) => name);
  const byName = Object.keys(data).filter((name) => /mail/i.test(name));
  const found = [...byType, ...byName].map((name) => (Object.hasOwn(data, name) ? data[name] : undefined));
  return found.find((value): value is string => typeof value === 'string' && isEmail(value));
}

export interface Summary {
  /** Who it is from, or what it begins with; empty if there are no words in it. */
  title: string;
  excerpt: string;
}

const EXCERPT_CHARS = 200;

/** A submission in two lines. */
export function toSummary(data: Data, fields: FormFields): Summary {
  const hidden = new Set(fields.filter(({ type }) => type === 'hidden').map(({ name }) => name));
  const texts = Object.entries(data).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1].trim() !== '' && !hidden.has(entry[0]),
  );
  const typeOf = (name: string): string | undefined => fields.find((field) => field.name === name)?.type;
  const isSent = (name: string, value: string): boolean => data[name] === value;
  const title =
    texts.find(([name]) => /name/i.test(name) && typeOf(name) !== 'textarea')?.[1] ??
    findReplyTo(data, fields) ??
    texts[0]?.[1] ??
    '';
  const rest = texts.filter(([name]) => !isSent(name, title));
  const long = rest.filter(([name]) => typeOf(name) === 'textarea');
  const words = (long.length > 0 ? long : rest).map(([, text]) => text).join(' · ');
  return { title: toLine(title), excerpt: toLine(words) };
}

function toLine(text: string): string {
  const line = text
    .slice(0, EXCERPT_CHARS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}…` : line;
}
