// Lists deliveries to webhooks and their results, and redelivers them. Webhooks themselves are settings.
import { type Route, route } from '../http/route.ts';
import { DeliveriesQuery, DeliveriesSchema, DeliverySchema, DeliveryWithBodySchema } from './input.ts';
import type { Webhooks } from './service.ts';

/** The part of a request's site that these routes need. */
export interface WebhookSite {
  webhooks: Webhooks;
}

const TAG = 'Webhooks';

export function webhookRoutes(): Route<WebhookSite>[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/webhooks/deliveries',
      summary: 'Deliveries to webhooks, newest first: waiting ones, and the last thousand finished ones',
      tag: TAG,
      allow: 'org:settings:read',
      query: DeliveriesQuery,
      answers: { 200: { description: 'The deliveries', schema: DeliveriesSchema } },
      handle: (call) => ({ body: (call.site as WebhookSite).webhooks.deliveries(call.query()) }),
    }),
    route<WebhookSite>({
      method: 'get',
      path: '/api/admin/webhooks/deliveries/{id}',
      summary: 'One delivery, with its body if the caller may read its content',
      tag: TAG,
      allow: 'org:settings:read',
      answers: {
        200: { description: 'The delivery', schema: DeliveryWithBodySchema },
        404: { description: 'No such delivery, or it is too old' },
      },
      handle: async ({ site, params, principal }) => ({ body: await site.webhooks.delivery(params.id!, principal) }),
    }),
    route<WebhookSite>({
      method: 'post',
      path: '/api/admin/webhooks/deliveries/{id}/redeliver',
      summary: 'Send a delivery again now, under its id',
      tag: TAG,
      allow: 'org:settings:write',
      answers: {
        200: { description: 'The delivery, on its way', schema: DeliverySchema },
        404: { description: 'No such delivery, or it is too old' },
        409: { description: 'Its webhook was removed' },
      },
      handle: async ({ site, params, principal }) => ({ body: await site.webhooks.redeliver(params.id!, principal) }),
    }),
    route<WebhookSite>({
      method: 'post',
      path: '/api/admin/webhooks/{id}/test',
      summary: 'Send a webhook the event `ping`',
      tag: TAG,
      allow: 'org:settings:write',
      answers: {
        200: { description: 'The delivery, on its way', schema: DeliverySchema },
        404: { description: 'No such webhook' },
      },
      handle: async ({ site, params }) => ({ body: await site.webhooks.test(params.id!) }),
    }),
  ];
}
