// Queries and answers of the scheduler's routes.
import { z } from 'zod';
import { DateTimeInput } from '../lib/time/date-time-input.ts';

export const HeartbeatShape = z
  .object({
    ok: z.boolean().meta({ description: 'false if there are errors' }),
    durationMs: z.int(),
    ran: z.array(z.string()).meta({
      description:
        'actions of this beat: `published: N`, `unpublished: N`, `agents: id, id`, `backup: completed`, `link-check: completed`, `calendar: updated`',
    }),
    errors: z.array(z.string()).meta({ description: 'the failed actions, with reasons' }),
    warnings: z.array(z.string()).optional().meta({
      description: 'documents that were published and point to nothing published',
    }),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'Heartbeat' });

export const CalendarQuery = z.object({
  token: z.string().optional().meta({ description: 'required; from `GET /api/admin/calendar`' }),
  org: z.string().optional().meta({ description: 'organization id' }),
  site: z.string().optional().meta({ description: 'site id' }),
});

export const CalendarLinkShape = z
  .object({
    url: z.string().meta({ description: 'to subscribe to; anyone who has it reads the calendar as its owner' }),
    token: z.string(),
  })
  .meta({ id: 'CalendarLink' });

export const PlannedQuery = z
  .object({
    from: DateTimeInput.optional().meta({ description: 'everything that is past due, too, if absent' }),
    to: DateTimeInput.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'must not be before "from"',
  });

export const PlannedShape = z
  .object({
    events: z
      .array(
        z.object({
          at: z.iso.datetime(),
          kind: z.string().meta({
            description: '`publish`, `unpublish`, or the name of a job: `backup`, `link-check`, `deploy`, `agent:<id>`',
          }),
          collection: z.string().optional(),
          slug: z.string().optional(),
          title: z.string().optional(),
          overdue: z.literal(true).optional().meta({ description: 'its time has passed, and it has not happened' }),
          reason: z
            .string()
            .optional()
            .meta({ description: 'why it has not happened; absent if it was not tried yet' }),
        }),
      )
      .meta({ description: 'the soonest first' }),
    truncated: z.literal(true).optional().meta({ description: 'there are more; ask for a shorter time' }),
    timezone: z.string().meta({ description: 'the time zone of the site (`general.timezone`), as IANA names it' }),
  })
  .meta({ id: 'Planned' });
