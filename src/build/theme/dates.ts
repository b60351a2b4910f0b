// Dates and numbers as people of a locale write them. Formats are made once: making one costs as much as a page. Dates
// are those of UTC, so that a page is the same on every machine.

const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  short: { dateStyle: 'short' },
  medium: { dateStyle: 'medium' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  day: { day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  time: { timeStyle: 'short' },
  datetime: { dateStyle: 'long', timeStyle: 'short' },
};
export const DATE_STYLES = ['iso', ...Object.keys(STYLES)];

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** Undefined for a style that does not exist; empty for a value that is not a date. */
export function formatDate(value: unknown, style: string, locale: string): string | undefined {
  if (style !== 'iso' && !Object.hasOwn(STYLES, style)) return undefined;
  const date = toDate(value);
  if (!date) return '';
  if (style === 'iso') return date.toISOString();
  const key = `${locale} ${style}`;
  let format = dateFormats.get(key);
  if (!format) dateFormats.set(key, (format = new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC' })));
  return format.format(date);
}

export function formatNumber(value: number, locale: string): string {
  let format = numberFormats.get(locale);
  if (!format) numberFormats.set(locale, (format = new Intl.NumberFormat(locale)));
  return format.format(value);
}

/** A local time counts as one of UTC: the builder's own zone must not show. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

function toDate(value: unknown): Date | undefined {
  if (typeof value === 'number') return checked(new Date(value));
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  return day === undefined ? undefined : checked(new Date(`${day}T${time}${zone}`));
}

function checked(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
