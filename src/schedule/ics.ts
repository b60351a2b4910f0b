// Writes entries as iCalendar text (RFC 5545) that Google, Apple and Outlook accept. Times are in the site's time zone
// with the zone's rules if they give the same moment, otherwise in UTC (on days on which the clock changes, and for
// zones whose rules differ each year).
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
  /** IANA name. */
  timezone: string;
  /** Address of the service, with which the entries' links begin; without it there are no links. */
  address: string | undefined;
  events: readonly KnownEvent[];
}

/** The refresh interval that clients are asked to use; not all of them do. */
const REFRESH_S = 15 * 60;
/** Some clients do not show an event without a duration. */
const LENGTH_MS = 15 * 60_000;
/** Events in one piece of text. */
const PIECE = 40;

const ZONES = new Set(tzlib_get_timezones());

/** Yields the text in pieces, each of which takes some milliseconds. */
export function* calendarText({ name, timezone, address, events }: IcsCalendar): Generator<string> {
  const zone = createZone(timezone);
  const empty = ical({
    // The library does not escape it.
    name: escapeText(name, false),
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Colophon', product: 'Colophon', language: 'EN' },
    ttl: REFRESH_S,
  });
  const [head = '', end = ''] = empty.toString().split(/^(?=END:VCALENDAR)/m);
  // If the library knew the zone, it would write DTSTAMP in local time, and the zone's rules before the properties.
  yield `${head}X-WR-TIMEZONE:${timezone}\r\n${zone ? `${zone.rules}\r\n` : ''}`;
  for (let at = 0; at < events.length; at += PIECE) {
    const piece = ical();
    for (const event of events.slice(at, at + PIECE)) piece.createEvent(toEvent(event, zone, address));
    const text = piece.toString();
    yield text.slice(text.indexOf('BEGIN:VEVENT'), text.lastIndexOf('END:VCALENDAR'));
  }
  yield `${end}\r\n`;
}

function toEvent(event: KnownEvent, zone: Zone | undefined, address: string | undefined): ICalEventData {
  const { uid, start, summary, description, path, sequence, changedAt } = event;
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
  /** Its name in the rules. */
  name: string;
  /** A VTIMEZONE component. */
  rules: string;
  /** The moment on the zone's clock; undefined if a client would read it as another moment. */
  at(moment: Date): ICalLuxonDateTimeStub | undefined;
}

/** Returns undefined for UTC, which needs no rules, and for unknown zones. */
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
  /** The offset from UTC for each date, by the rules; undefined if the clock changes on that day. */
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

/** Returns a Luxon-like date, the only kind of date that the library writes unchanged. */
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
