// The log of revalidations, and sending everything again.
import { type Route, route } from '../../http/route.ts';
import type { RevalidationService } from './service.ts';
import { ResentShape, RevalidationsShape } from './shape.ts';

/** The part of a request's site that these routes need. */
export interface RevalidationSite {
  revalidation: RevalidationService;
}

const TAG = 'Deploys';

export function revalidationRoutes(): Route<RevalidationSite>[] {
  return [
    route<RevalidationSite>({
      method: 'get',
      path: '/api/admin/revalidations',
      summary: 'The last 50 revalidations of the frontend, newest first',
      tag: TAG,
      allow: 'deploy:read',
      answers: { 200: { description: 'The revalidations', schema: RevalidationsShape } },
      handle: async ({ site }) => ({
        headers: { 'Cache-Control': 'no-store' },
        body: { revalidations: await site.revalidation.list() },
      }),
    }),
    route<RevalidationSite>({
      method: 'post',
      path: '/api/admin/revalidations/resend',
      summary: 'Send every published document to the frontend again',
      tag: TAG,
      allow: 'deploy:trigger',
      answers: {
        200: { description: 'They are on their way', schema: ResentShape },
        400: { description: 'revalidateUrl or revalidateSecret is not set' },
        503: { description: 'Too much waits for the frontend' },
      },
      handle: async ({ site }) => ({ body: { ok: true, ...(await site.revalidation.resend()) } }),
    }),
  ];
}
