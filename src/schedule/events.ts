// Coming events of a site, as entries of a calendar: pure. A calendar client identifies an entry by its UID, and
// accepts another version as newer if its sequence is higher: so the versions that subscribers got are remembered.
import { z } from 'zod';
import type { Row } from '../content/rows/row.ts';

/** An entry as subscribers get it. */
export const KnownEvent = z.object({
  uid: z.string(),
  /** The time of the event. */
  start: z.iso.datetime(),
  summary: z.string(),
  description: z.string(),
  /** Path of the document at the service. */
  path: z.string().optional(),
  /** How often it was moved or renamed. */
  sequence: z.int().min(0),
  /** When this version was made. */
  changedAt: z.iso.datetime(),
});
export type KnownEvent = z.output<typeof KnownEvent>;

export type CalendarEvent = Omit<KnownEvent, 'sequence'>;

export interface EventParts {
  site: { id: string; org: string };
  /** Documents that wait to be published or withdrawn, the soonest first. */
  waiting(kind: 'publish' | 'unpublish'): Iterable<Row>;
  describe(row: Row): { title: string; collectionLabel: string };
  /** Each job with its next runs; `setAt` is when its schedule was set. */
  jobs: readonly { job: { name: string; label: string }; setAt: string; runs: readonly Date[] }[];
}

/** Limit for documents of each kind; later ones appear when earlier ones have passed. */
const MAX_DOCUMENTS = 250;
const MAX_TITLE = 500;

const VERBS = { publish: 'Publish', unpublish: 'Unpublish' } as const;

export function listEvents({ site, waiting, describe, jobs }: EventParts): CalendarEvent[] {
  const uid = (what: string): string => `${what}.${site.id}.${site.org}@colophon`;

  function ofDocuments(kind: 'publish' | 'unpublish'): CalendarEvent[] {
    const events: CalendarEvent[] = [];
    for (const row of waiting(kind)) {
      if (events.length === MAX_DOCUMENTS) break;
      const { title, collectionLabel } = describe(row);
      events.push({
        uid: uid(`${row.id}.${kind}`),
        start: (kind === 'publish' ? row.publishAt : row.unpublishAt)!,
        summary: `${VERBS[kind]}: ${toPlainText(title)}`,
        description: `${toPlainText(collectionLabel)}: ${row.slug}\nSite: ${site.id}`,
        path: `/api/cms/${row.collection}/${row.slug}?site=${site.id}`,
        changedAt: row.updatedAt,
      });
    }
    return events;
  }

  function ofJob({ job, setAt, runs }: EventParts['jobs'][number]): CalendarEvent[] {
    return runs.map((run) => ({
      uid: uid(`${run.toISOString().replace(/\W|000Z$/g, '')}.${job.name}`),
      start: run.toISOString(),
      summary: job.label,
      description: `Site: ${site.id}`,
      changedAt: setAt,
    }));
  }

  return [...ofDocuments('publish'), ...ofDocuments('unpublish'), ...jobs.flatMap(ofJob)];
}

/** Returns the current entries; changed ones get a higher sequence than in `before`. */
export function revise(before: readonly KnownEvent[], events: readonly CalendarEvent[]): KnownEvent[] {
  const known = new Map(before.map((event) => [event.uid, event]));
  return events.map((event) => {
    const last = known.get(event.uid);
    if (!last) return { ...event, sequence: 0 };
    const isSame = (['start', 'summary', 'description', 'path'] as const).every((key) => last[key] === event[key]);
    if (isSame) return last;
    const [, changedAt = ''] = [event.changedAt, last.changedAt].sort();
    return { ...event, changedAt, sequence: last.sequence + 1 };
  });
}

/** RFC 5545 allows no control characters in texts except tabs and, escaped, line breaks. */
function toPlainText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
  const points = [...plain.slice(0, (MAX_TITLE + 1) * 2)];
  return points.length > MAX_TITLE ? `${points.slice(0, MAX_TITLE).join('')}…` : plain;
}
