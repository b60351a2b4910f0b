// What is going to happen at a site, as entries of a calendar: pure. A calendar keeps an entry by its UID, and takes
// another version of it for a newer one where the sequence is higher: so what subscribers were told before is remembered.
import { z } from 'zod';
import type { Row } from '../content/rows/row.ts';

/** An entry as subscribers are told of it. */
export const KnownEvent = z.object({
  uid: z.string(),
  /** When it happens. */
  start: z.iso.datetime(),
  summary: z.string(),
  description: z.string(),
  /** Of the document, from the service's root. */
  path: z.string().optional(),
  /** Counts the times that it was moved or renamed. */
  sequence: z.int().min(0),
  /** When it became what it is. */
  changedAt: z.iso.datetime(),
});
export type KnownEvent = z.output<typeof KnownEvent>;

export type CalendarEvent = Omit<KnownEvent, 'sequence'>;

export interface EventParts {
  site: { id: string; org: string };
  /** Documents that wait to be published or withdrawn, the soonest first. */
  waiting(kind: 'publish' | 'unpublish'): Iterable<Row>;
  describe(row: Row): { title: string; collectionLabel: string };
  /** Each with its next runs, and since when it has its schedule. */
  jobs: readonly { job: { name: string; label: string }; setAt: string; runs: readonly Date[] }[];
}

/** Documents of a kind; who plans further ahead sees the rest when these have passed. */
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

/** What subscribers are told now, given what they were told before. */
export function revise(before: readonly KnownEvent[], events: readonly CalendarEvent[]): KnownEvent[] {
  const known = new Map(before.map((told) => [told.uid, told]));
  return events.map((event) => {
    const told = known.get(event.uid);
    if (!told) return { ...event, sequence: 0 };
    const isSame = (['start', 'summary', 'description', 'path'] as const).every((key) => told[key] === event[key]);
    if (isSame) return told;
    const [, changedAt = ''] = [event.changedAt, told.changedAt].sort();
    return { ...event, changedAt, sequence: told.sequence + 1 };
  });
}

/** RFC 5545 has no control characters in texts but tabs and, escaped, line breaks. */
function toPlainText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
  const points = [...plain.slice(0, (MAX_TITLE + 1) * 2)];
  return points.length > MAX_TITLE ? `${points.slice(0, MAX_TITLE).join('')}…` : plain;
}
