// Days and months of a calendar. A day is `2026-11-27`: it has no time and no zone. Pure.

const DAY_MS = 86_400_000;

export function addDays(day: string, count: number): string {
  return toDay(new Date(Date.parse(day) + count * DAY_MS));
}

/** The same day of another month, or its last one. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return toDay(new Date(Date.UTC(year, month - 1 + count, Math.min(date, last.getUTCDate()))));
}

/** `2026-11` */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The month of an address; undefined if it is not one that a calendar shows. */
export function parseMonth(text: string | undefined): string | undefined {
  return text !== undefined && /^2\d{3}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** 1 is Monday, 7 Sunday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay() || 7;
}

/** The weeks that have a day of the month, each of seven days. */
export function weeksOf(month: string, firstWeekday: number): string[][] {
  const first = startOfWeek(`${month}-01`, firstWeekday);
  const weeks: string[][] = [];
  for (let start = first; monthOf(start) <= month; start = addDays(start, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(start, at)));
  }
  return weeks;
}

export function startOfWeek(day: string, firstWeekday: number): string {
  return addDays(day, -((weekdayOf(day) - firstWeekday + 7) % 7));
}

type LocaleWithWeeks = Intl.Locale & { getWeekInfo?(): { firstDay: number }; weekInfo?: { firstDay: number } };
/** For browsers that do not know it: regions whose weeks begin on Sunday, as CLDR has them, the largest ones. */
const FROM_SUNDAY = new Set('BR CA CO HK ID IL IN JP KE KR MX PE PH SA SG TH TW US VE ZA'.split(' '));

/** Where weeks begin for people of a language and region. */
export function firstWeekdayOf(language: string): number {
  const locale: LocaleWithWeeks = new Intl.Locale(language);
  const known = (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay;
  return known ?? (FROM_SUNDAY.has(locale.maximize().region ?? '') ? 7 : 1);
}

/** The day that a key leads to in the grid; undefined for other keys. */
export function moveInMonth(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  day: string,
  { firstWeekday, isMirrored }: { firstWeekday: number; isMirrored: boolean },
): string | undefined {
  const forward = isMirrored ? -1 : 1;
  if (key === 'ArrowRight') return addDays(day, forward);
  if (key === 'ArrowLeft') return addDays(day, -forward);
  if (key === 'ArrowDown') return addDays(day, 7);
  if (key === 'ArrowUp') return addDays(day, -7);
  if (key === 'Home') return startOfWeek(day, firstWeekday);
  if (key === 'End') return addDays(startOfWeek(day, firstWeekday), 6);
  if (key === 'PageDown') return addMonths(day, shiftKey ? 12 : 1);
  if (key === 'PageUp') return addMonths(day, shiftKey ? -12 : -1);
  return undefined;
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
