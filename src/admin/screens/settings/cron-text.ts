// A cron expression in words, for the usual ones. Pure.
import '../../text/en-settings.ts';
import { toDateFormat } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';

/** Offered while one types. */
export const USUAL_SCHEDULES = ['0 * * * *', '0 3 * * *', '0 3 * * 1', '0 3 1 * *'] as const;

const NUMBER = /^\d{1,2}$/;
/** A Sunday. */
const FIRST_SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;
const weekday = toDateFormat({ weekday: 'long', timeZone: 'UTC' });

/** Undefined for an expression that is not one of the usual ones. */
export function toCronText(expression: string): string | undefined {
  const text = expression.trim();
  if (text === '') return t('cron.never');
  const [minute = '', hour = '', day = '', month = '', dayOfWeek = '', ...more] = text.split(/\s+/);
  if (dayOfWeek === '' || more.length > 0 || month !== '*') return undefined;
  const every = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  const isAnyDay = day === '*' && dayOfWeek === '*';
  if (every !== undefined && hour === '*' && isAnyDay) return t('cron.minutes', { count: Number(every) });
  if (!NUMBER.test(minute)) return undefined;
  if (hour === '*' && isAnyDay) return t('cron.hourly', { minute: pad(minute) });
  if (!NUMBER.test(hour)) return undefined;
  const time = `${pad(hour)}:${pad(minute)}`;
  if (isAnyDay) return t('cron.daily', { time });
  if (day === '*' && /^[0-7]$/.test(dayOfWeek)) {
    return t('cron.weekly', { time, day: weekday().format(FIRST_SUNDAY + (Number(dayOfWeek) % 7) * DAY_MS) });
  }
  if (NUMBER.test(day) && dayOfWeek === '*') return t('cron.monthly', { time, day: String(Number(day)) });
  return undefined;
}

function pad(number: string): string {
  return number.padStart(2, '0');
}
