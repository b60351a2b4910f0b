// Dates of front matter as ISO strings: a date stays a date, a date with a time becomes UTC with milliseconds, like
// every other moment that the service writes. A time without a zone is UTC, as in YAML's timestamp type.
import type { TomlDate } from 'smol-toml';
import type { ScalarTag } from 'yaml';

// https://yaml.org/type/timestamp.html, plus the zone without a colon that Jekyll writes (`+0200`).
const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?[ \t]*(?:([Zz])|([-+])(\d\d?):?(\d\d)?)?)?$/;

/** Matches only unquoted YAML scalars; a quoted date stays text. */
export const timestampTag: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:timestamp',
  test: TIMESTAMP,
  resolve: (text) => toIsoDate(text) ?? text,
};

/** The ISO form of a timestamp; undefined if the text is not one (`2024-02-31` is not). */
export function toIsoDate(text: string): string | undefined {
  const match = TIMESTAMP.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', , sign, zoneHour = '0', zoneMinute = '0'] = match;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!isDay(date, Number(month), Number(day))) return undefined;
  if (hour === undefined) return new Date(date).toISOString().slice(0, 10);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offsetMinutes = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  return new Date(date + minutes * 60_000 + Number(second) * 1000 + milliseconds).toISOString();
}

/** TOML's four kinds of dates; a local time has no day and stays `07:32:00`. */
export function fromTomlDate(date: TomlDate): string {
  if (date.isDate()) return date.toISOString();
  if (date.isTime()) return date.toISOString().replace(/\.000$/, '');
  return new Date(date.getTime()).toISOString();
}

function isDay(time: number, month: number, day: number): boolean {
  const date = new Date(time);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}
