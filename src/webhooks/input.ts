// Queries and answers of the webhooks' routes.
import { z } from 'zod';
import { Limit, Offset } from '../lib/query.ts';

const MAX_DELIVERIES = 1000;
const DEFAULT_DELIVERIES = 50;

const State = z.enum(['pending', 'delivered', 'failed']);

export const DeliveriesQuery = z.object({
  webhook: z.string().optional().meta({ description: "the webhook's id" }),
  event: z.string().optional(),
  state: State.optional(),
  limit: Limit.transform((limit) => Math.min(limit, MAX_DELIVERIES))
    .default(DEFAULT_DELIVERIES)
    .meta({ type: 'integer', minimum: 1, description: `over ${MAX_DELIVERIES} counts as ${MAX_DELIVERIES}` }),
  offset: Offset.default(0).meta({ type: 'integer', minimum: 0 }),
});

const When = z.iso.datetime();

export const DeliverySchema = z
  .object({
    id: z.string().meta({ description: 'sent as `webhook-id` and `X-CMS-Delivery`; the same at each attempt' }),
    webhookId: z.string(),
    event: z.string(),
    url: z
      .string()
      .nullable()
      .meta({ description: "the webhook's current URL, without its path; null if the webhook was removed" }),
    state: State,
    attempts: z.int().meta({ description: '0 if it failed because too much waited for its webhook; redeliver it' }),
    status: z.int().nullable().meta({ description: 'status of the last response; null if there was no response' }),
    error: z.string().nullable(),
    durationMs: z.int().nullable(),
    createdAt: When,
    lastAttemptAt: When.nullable(),
    nextAttemptAt: When.nullable().meta({ description: 'later if an earlier delivery of its document still waits' }),
  })
  .meta({ id: 'WebhookDelivery' });

export const DeliveriesSchema = z.object({ deliveries: z.array(DeliverySchema), total: z.int() });

export const DeliveryWithBodySchema = DeliverySchema.extend({
  body: z
    .unknown()
    .optional()
    .meta({ description: 'as it would be sent now; absent if the caller may not read its content' }),
}).meta({ id: 'WebhookDeliveryWithBody' });
