// Queries and answers of the scheduler's routes.
import { z } from 'zod';

export const HeartbeatShape = z
  .object({
    ok: z.boolean().meta({ description: 'false if there are errors' }),
    durationMs: z.int(),
    ran: z.array(z.string()).meta({
      description:
        'actions of this beat: `published: N`, `unpublished: N`, `agents: id, id`, `backup: completed`, `link-check: completed`, `calendar: updated`',
    }),
    errors: z.array(z.string()).meta({ description: 'the failed actions, with reasons' }),
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
