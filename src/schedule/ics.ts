// Entries as iCalendar text (RFC 5545) that Google, Apple and Outlook take: in the site's time zone, with its rules, where
// those lead back to the very moment; else in UTC, which is always right (days on which the clock is changed, zones whose
// rules are others each year).
import ical, {
  escape as escapeText,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventTransparency,
  type ICalLuxonDateTimeStub,
} from 'ical-generator';
import { tzlib_get_ical_block, tzlib_get_offset, tzlib_get_timezones } from 'timezones-ical-library';
import type { KnownEvent } from './events.ts';

export interface IcsCalendar {
  name: string;
  /** IANA. */
  timezone: string;
  /** Address of the service, which the entries' links begin with; without it they have none. */
  address: string | undefined;
  events: readonly KnownEvent[];
}

/** How soon clients are asked to look again; each does as it likes. */
const REFRESH_S = 15 * 60;
/** Something that takes no time is not drawn by every client. */
const LENGTH_MS = 15 * 60_000;
/** Events that are written at once. */
const PIECE = 40;

const ZONES = new Set(tzlib_get_timezones());

/** In pieces, each of them some milliseconds' work. */
export function* calendarText({ name, timezone, address, events }: IcsCalendar): Generator<string> {
  const zone = createZone(timezone);
  const empty = ical({
    // It goes into the text as it is.
    name: escapeText(name, false),
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Colophon', product: 'Colophon', language: 'EN' },
    ttl: REFRESH_S,
  });
  const [head = '', end = ''] = empty.toString().split(/^(?=END:VCALENDAR)/m);
  // Given a zone, the library writes DTSTAMP in local time, and the zone's rules in front of the calendar's properties.
  yield `${head}X-WR-TIMEZONE:${timezone}\r\n${zone ? `${zone.rules}\r\n` : ''}`;
  for (let at = 0; at < events.length; at += PIECE) {
    const piece = ical();
    for (const told of events.slice(at, at + PIECE)) piece.createEvent(toEvent(told, zone, address));
    const text = piece.toString();
    yield text.slice(text.indexOf('BEGIN:VEVENT'), text.lastIndexOf('END:VCALENDAR'));
  }
  yield `${end}\r\n`;
}

function toEvent(told: KnownEvent, zone: Zone | undefined, address: string | undefined): ICalEventData {
  const { uid, start, summary, description, path, sequence, changedAt } = told;
  const [from, to] = [new Date(start), new Date(Date.parse(start) + LENGTH_MS)];
  const [localFrom, localTo] = [zone?.at(from), zone?.at(to)];
  const isLocal = localFrom !== undefined && localTo !== undefined;
  return {
    id: uid,
    sequence,
    start: isLocal ? localFrom : from,
    end: isLocal ? localTo : to,
    ...(isLocal && zone ? { timezone: zone.name } : {}),
    stamp: new Date(changedAt),
    lastModified: new Date(changedAt),
    summary,
    description,
    transparency: ICalEventTransparency.TRANSPARENT,
    ...(address && path ? { url: `${address}${path}` } : {}),
  };
}

interface Zone {
  /** As its rules call it. */
  name: string;
  /** A VTIMEZONE. */
  rules: string;
  /** A moment on the zone's clock; undefined where that would be read as another one. */
  at(moment: Date): ICalLuxonDateTimeStub | undefined;
}

/** Undefined for UTC, which needs no rules, and for what nobody knows. */
function createZone(timezone: string): Zone | undefined {
  if (!ZONES.has(timezone)) return undefined;
  const [rules, tzid] = tzlib_get_ical_block(timezone) as [string, string];
  const name = tzid.replace(/^TZID=/, '');
  if (name === 'Etc/UTC') return undefined;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  /** By date: how far the clock is from UTC all day, by the rules; undefined where it is changed. */
  const offsets = new Map<string, string | undefined>();
  function offsetOn(date: string): string | undefined {
    if (!offsets.has(date)) {
      const [first, last] = ['00:00', '23:59'].map((time) => tzlib_get_offset(timezone, date, time));
      offsets.set(date, first === last ? first?.replace(/(?=\d\d$)/, ':') : undefined);
    }
    return offsets.get(date);
  }

  return {
    name,
    rules,
    at(moment) {
      const parts = Object.fromEntries(clock.formatToParts(moment).map(({ type, value }) => [type, value]));
      const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = parts;
      const date = `${year.padStart(4, '0')}-${month}-${day}`;
      const offset = offsetOn(date);
      const read = offset && Date.parse(`${date}T${hour}:${minute}:${second}${offset}`);
      if (read !== Math.floor(moment.getTime() / 1000) * 1000) return undefined;
      return toLocal(moment, date.replaceAll('-', ''), `${hour}${minute}${second}`);
    },
  };
}

/** The one of the library's kinds of dates that is written as it is told. */
function toLocal(moment: Date, date: string, time: string): ICalLuxonDateTimeStub {
  const local: ICalLuxonDateTimeStub = {
    isValid: true,
    setZone: () => local,
    toFormat: (format) => (format === 'yyyyLLdd' ? date : time),
    toJSDate: () => moment,
    toJSON: () => moment.toISOString(),
    zone: { type: 'iana' },
  };
  return local;
}
