// What the routes of this folder take and answer.
import { z } from 'zod';

export const PresenceBody = z.object({
  collection: z.string().min(1).max(200),
  slug: z.string().min(1).max(200),
  open: z.boolean().default(true).meta({ description: 'false when the document is closed' }),
});

export const PresenceShape = z
  .object({ people: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: 'Presence' });
