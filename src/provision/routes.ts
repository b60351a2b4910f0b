// The wizard over HTTP. With the session cookie only: it sends a token that can make machines which cost money.
import { z } from 'zod';
import type { Principal } from '../access/principal.ts';
import { createEventStream, isHeld, type ServerEvent } from '../http/event-stream.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { forbidden } from '../lib/errors.ts';
import { CheckBody, CheckShape, OptionsShape, ProvisionBody, ProvisionsShape, RemoveBody } from './input.ts';
import type { ProvisionService } from './service.ts';

/** The part of a request's site that these routes need. */
export interface ProvisionSite {
  /** Aborts when the site closes. */
  closing: AbortSignal;
}

const TAG = 'Provisioning';
const EVENT_STREAM = 'text/event-stream';
/** A drawing opened on its own runs nothing. */
const IMAGE_HEADERS = {
  'Cache-Control': 'private, max-age=3600',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** The picture of a template. @throws ServiceError 404 */
export type ReadTemplateImage = (name: string) => { bytes: Buffer; type: string };

export function provisionRoutes(
  service: ProvisionService,
  readTemplateImage: ReadTemplateImage,
): Route<ProvisionSite>[] {
  return [
    route<ProvisionSite>({
      method: 'get',
      path: '/api/admin/provision/options',
      summary: 'What a new service can be made of',
      tag: TAG,
      allow: 'session',
      answers: { 200: { description: 'Templates, regions and sizes', schema: OptionsShape } },
      handle({ principal }) {
        getUserId(principal);
        return answer(service.options());
      },
    }),
    route<ProvisionSite>({
      method: 'get',
      path: '/api/admin/provision/templates/{name}/image',
      summary: 'The picture of a template',
      tag: TAG,
      allow: 'session',
      answers: {
        200: { description: 'The picture', contentType: 'image/webp', alternatives: ['image/svg+xml'] },
        404: { description: 'No such template' },
      },
      handle({ principal, params }) {
        getUserId(principal);
        const { bytes, type } = readTemplateImage(params.name!);
        return { type, headers: IMAGE_HEADERS, body: bytes };
      },
    }),
    route<ProvisionSite>({
      method: 'get',
      path: '/api/admin/provision',
      summary: 'The provisionings that the caller began',
      tag: TAG,
      allow: 'session',
      answers: { 200: { description: 'Without tokens and set-up links', schema: ProvisionsShape } },
      handle({ principal }) {
        return answer({ provisions: service.list(getUserId(principal)) });
      },
    }),
    route<ProvisionSite, z.ZodType, typeof CheckBody>({
      method: 'post',
      path: '/api/admin/provision/check',
      summary: 'Check a part of what a provisioning would be asked for; a token of Fly is verified there',
      tag: TAG,
      allow: 'session',
      body: CheckBody,
      answers: {
        200: { description: 'Whether Fly accepts the token', schema: CheckShape },
        400: { description: 'What is sent would be refused' },
        502: { description: 'Fly cannot be asked' },
      },
      async handle({ principal, body }) {
        getUserId(principal);
        return answer(await service.check(await body()));
      },
    }),
    route<ProvisionSite, z.ZodType, typeof ProvisionBody>({
      method: 'post',
      path: '/api/admin/provision',
      summary: 'Make a new service on Fly, or go on where an earlier try ended',
      tag: TAG,
      allow: 'session',
      body: ProvisionBody,
      answers: {
        200: { description: 'It has begun', schema: z.object({ id: z.string() }) },
        409: { description: 'One of this app name is under way, or another user made it' },
        429: { description: 'Several others are under way' },
      },
      async handle({ principal, body }) {
        const userId = getUserId(principal);
        return answer(await service.start(await body(), userId));
      },
    }),
    route<ProvisionSite>({
      method: 'get',
      path: '/api/admin/provision/{id}/events',
      summary: 'Follow it: the steps so far, then each as it happens, then `done` or `error`',
      tag: TAG,
      allow: 'session',
      answers: {
        200: { description: 'Events `step`, `done`, `error`', contentType: EVENT_STREAM },
        404: { description: 'The caller began no provisioning with this id' },
      },
      handle({ principal, site, params, again }) {
        const follow = service.follow(params.id!, getUserId(principal));
        const source = (signal: AbortSignal): AsyncIterable<ServerEvent> => follow(signal);
        const body = createEventStream(source, { stop: site.closing, mayGoOn: () => isHeld(again) });
        return { type: EVENT_STREAM, headers: { 'Cache-Control': 'no-store' }, body };
      },
    }),
    route<ProvisionSite, z.ZodType, typeof RemoveBody>({
      method: 'delete',
      path: '/api/admin/provision/{id}',
      summary: 'Stop it and remove what it made',
      tag: TAG,
      allow: 'session',
      body: RemoveBody,
      bodyOptional: true,
      answers: {
        200: {
          description: 'Removed; `left` says what stays, and why',
          schema: z.object({ ok: z.literal(true), left: z.string().nullable() }),
        },
        404: { description: 'The caller began no provisioning with this id' },
        409: { description: 'The token is needed' },
        502: { description: 'Fly did not remove it; it may be asked again' },
      },
      async handle({ principal, params, body }) {
        const { flyToken } = await body();
        return answer(await service.remove(params.id!, getUserId(principal), flyToken));
      },
    }),
  ];
}

/** A new service is the whole service's affair: its token and what it costs are no site's. @throws ServiceError 403 */
function getUserId({ permissions, userId, allSites }: Principal): string {
  if (!permissions.has('sites:write') || userId === null) throw forbidden('this needs the permission sites:write');
  if (allSites !== true) throw forbidden('only users with access to every site may provision a service');
  return userId;
}

function answer(body: object): Answer {
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
}
