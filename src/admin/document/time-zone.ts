// Moments as the clocks of a time zone show them, for inputs of the browser. Pure.
import { LANGUAGE } from '../text/reader.ts';

/** `2026-03-01T14:30` in the zone, as `<input type="datetime-local">` has it. `at` is ISO 8601. */
export function toLocal(at: string, zone: string): string {
  const parts = partsOf(new Date(at), zone);
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/** The moment that the zone's clocks show so; undefined if they leave it out. If there are two such moments, it is the first. */
export function fromLocal(local: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // Offsets of a day earlier and a day later are those before and after a change of the clocks.
  const candidates = [-1, 1]
    .map((days) => asUtc - offsetMs(asUtc + days * DAY_MS, zone))
    .filter((at) => toLocal(new Date(at).toISOString(), zone) === local);
  return candidates.length === 0 ? undefined : new Date(Math.min(...candidates)).toISOString();
}

const DAY_MS = 86_400_000;

function offsetMs(at: number, zone: string): number {
  const { year, month, day, hour, minute } = partsOf(new Date(at), zone);
  const minutes = Math.floor(at / 60_000) * 60_000;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`) - minutes;
}

type ClockPart = 'year' | 'month' | 'day' | 'hour' | 'minute';

function partsOf(at: Date, zone: string): Record<ClockPart, string> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    ...{ month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { ...(parts as Record<ClockPart, string>), year: String(parts.year).padStart(4, '0') };
}

/** For people: "1 March 2026, 14:30". */
export function toZoned(at: string, zone: string): string {
  return new Intl.DateTimeFormat(LANGUAGE, { timeZone: zone, dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(at),
  );
}
