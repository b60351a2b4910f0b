// Reads a calendar as a strict client does: checks the rules of RFC 5545 that text can break, and parses with ical.js.
import ICAL from 'ical.js';
import * as assert from 'uvu/assert';

export interface ReadEvent {
  uid: string;
  summary: string;
  description: string;
  /** In UTC, whatever zone it is written in. */
  start: string;
  end: string;
  /** The zone that the text uses. */
  zone: string;
  sequence: number;
  stamp: string;
  lastModified: string;
  url: string | null;
}

export interface ReadCalendar {
  name: string;
  method: string;
  events: ReadEvent[];
}

export function readCalendar(text: string): ReadCalendar {
  assert.ok(text.endsWith('END:VCALENDAR\r\n'), 'does not end as it should');
  assert.not.match(text.replaceAll('\r\n', ''), /[\r\n]/, 'has a line break that is not CRLF');
  for (const line of text.split('\r\n')) {
    const bytes = Buffer.from(line);
    assert.ok(bytes.length <= 75, `${bytes.length} octets: ${line}`);
    // A character cut in half would have become U+FFFD.
    assert.not.match(line, /\uFFFD/);
    assert.not.match(line.replaceAll('\t', ' '), /\p{Cc}/u, 'has a control character');
  }
  const parsed = new ICAL.Component(ICAL.parse(text));
  checkOrder(text);
  const zones = new Map(
    parsed.getAllSubcomponents('vtimezone').map((component) => {
      const zone = new ICAL.Timezone(component);
      return [zone.tzid, zone];
    }),
  );
  const instant = (component: ICAL.Component, name: string): string => {
    const property = component.getFirstProperty(name)!;
    const time = property.getFirstValue() as ICAL.Time;
    const tzid = property.getParameter('tzid') as string | undefined;
    if (tzid === undefined) assert.is(time.zone, ICAL.Timezone.utcTimezone, `${name} has no time zone`);
    else {
      const zone = zones.get(tzid);
      if (!zone) throw new Error(`there are no rules for ${tzid}`);
      time.zone = zone;
    }
    return new Date(time.toUnixTime() * 1000).toISOString();
  };
  const events = parsed.getAllSubcomponents('vevent').map((component): ReadEvent => {
    const value = (name: string) => component.getFirstPropertyValue(name);
    for (const name of ['uid', 'dtstamp', 'dtstart', 'summary']) {
      assert.is(component.getAllProperties(name).length, 1, name);
    }
    const zone = component.getFirstProperty('dtstart')!.getParameter('tzid');
    return {
      uid: String(value('uid')),
      summary: String(value('summary')),
      description: String(value('description')),
      start: instant(component, 'dtstart'),
      end: instant(component, 'dtend'),
      zone: zone === undefined ? 'UTC' : String(zone),
      sequence: Number(value('sequence')),
      stamp: instant(component, 'dtstamp'),
      lastModified: instant(component, 'last-modified'),
      url: component.hasProperty('url') ? String(value('url')) : null,
    };
  });
  assert.is(new Set(events.map(({ uid }) => uid)).size, events.length, 'a UID occurs twice');
  assert.is(parsed.getFirstPropertyValue('version'), '2.0');
  assert.ok(parsed.getFirstPropertyValue('prodid'));
  return {
    name: String(parsed.getFirstPropertyValue('x-wr-calname')),
    method: String(parsed.getFirstPropertyValue('method')),
    events,
  };
}

/** A calendar's own properties must come before its components; ical.js accepts them anywhere. */
function checkOrder(text: string): void {
  const lines = text.split('\r\n');
  let depth = 0;
  let hasComponent = false;
  for (const line of lines) {
    if (line.startsWith('BEGIN:')) {
      depth++;
      if (depth > 1) hasComponent = true;
    } else if (line.startsWith('END:')) depth--;
    else if (depth === 1 && line !== '' && !line.startsWith(' ')) assert.not(hasComponent, `${line} comes too late`);
  }
}
