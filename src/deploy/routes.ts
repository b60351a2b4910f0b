// Deploys over HTTP: trigger, history, what is live, log, cancel, rollback.
import type { Principal } from '../access/principal.ts';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { createEventStream, type ServerEvent } from '../http/event-stream.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { lacksPermission } from '../lib/errors.ts';
import { Deploy } from './deploy.ts';
import { DeployList, LiveAnswer, LiveQuery, TargetAnswer, TriggerAnswer, TriggerBody } from './input.ts';
import type { DocumentLive } from './live-document.ts';
import type { Deploys } from './service.ts';

/** The part of a request's site that these routes need. */
export interface DeploySite {
  id: string;
  audit: Audit;
  deploys: Deploys;
  documentLive: DocumentLive;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

export interface DeployRouteParts {
  recordOnSite: RecordOnSite;
  /** The same, but a full disk does not stop the request. */
  recordUnlessFull: RecordOnSite;
  /** Whether the credentials of a request that began a while ago still allow its route. */
  isStillAllowed(call: Call<DeploySite, unknown, unknown>): boolean;
}

const TAG = 'Deploys';
const EVENTS = 'text/event-stream';
const ONE = '/api/admin/deploys/{id}';

export function deployRoutes({
  recordOnSite,
  recordUnlessFull,
  isStillAllowed,
}: DeployRouteParts): Route<DeploySite>[] {
  return [
    route<DeploySite, never, typeof TriggerBody>({
      method: 'post',
      path: '/api/admin/deploy',
      summary: 'Deploy the site; answers when the deploy is queued',
      tag: TAG,
      allow: 'deploy:trigger',
      body: TriggerBody,
      bodyOptional: true,
      answers: {
        200: { description: 'The deploy, or the one that was queued already', schema: TriggerAnswer },
        400: { description: 'Something has to be set first, or the profile or the preview is not possible' },
        409: { description: 'Another kind of deploy is queued' },
      },
      async handle(call) {
        const { site, principal } = call;
        const { profile, preview } = await call.body();
        await recordOnSite({ site, principal }, 'deploy.triggered', [
          { key: 'profile', before: null, after: profile ?? null },
          { key: 'preview', before: null, after: preview },
        ]);
        const by = nameOf(principal);
        const deploy = await site.deploys.trigger({ profile, preview, trigger: 'manual', by, startedBy: principal });
        return { body: { ok: true, deploy } };
      },
    }),
    route<DeploySite>({
      method: 'get',
      path: '/api/admin/deploys',
      summary: 'The last 50 deploys, newest first',
      tag: TAG,
      allow: 'deploy:read',
      answers: { 200: { description: 'The deploys', schema: DeployList } },
      handle: ({ site }) => ({ headers: NO_STORE, body: { deploys: site.deploys.list() } }),
    }),
    route<DeploySite, typeof LiveQuery>({
      method: 'get',
      path: '/api/admin/deploys/live',
      summary: 'What is live, or null; with `collection` and `slug` also whether the document’s newest version is',
      tag: TAG,
      allow: 'deploy:read',
      query: LiveQuery,
      answers: {
        200: { description: 'The live deploy, or null', schema: LiveAnswer },
        403: { description: 'A document is named, and content:read is missing' },
        404: { description: 'Unknown collection or document' },
      },
      async handle({ site, principal, query }) {
        const { collection, slug } = query();
        const live = site.deploys.live();
        if (collection === undefined || slug === undefined) return { headers: NO_STORE, body: toJson(live) };
        if (!principal.permissions.has('content:read')) throw lacksPermission(principal, 'content:read');
        const document = await site.documentLive(live?.commit ?? null, collection, slug);
        return { headers: NO_STORE, body: toJson(live && { ...live, document }) };
      },
    }),
    route<DeploySite>({
      method: 'get',
      path: '/api/admin/deploys/target',
      summary: 'Where the site is deployed to and what is still to set, or null',
      tag: TAG,
      allow: 'deploy:read',
      answers: { 200: { description: 'The target, or null', schema: TargetAnswer } },
      handle: async ({ site }) => ({ headers: NO_STORE, body: toJson(await site.deploys.target()) }),
    }),
    route<DeploySite>({
      method: 'get',
      path: ONE,
      summary: 'One deploy',
      tag: TAG,
      allow: 'deploy:read',
      answers: { 200: { description: 'The deploy', schema: Deploy }, 404: { description: 'No such deploy' } },
      handle: ({ site, params }) => ({ headers: NO_STORE, body: site.deploys.get(params.id ?? '') }),
    }),
    logRoute(isStillAllowed),
    route<DeploySite>({
      method: 'post',
      path: `${ONE}/cancel`,
      summary: 'Cancel a deploy that is queued or running; answers once it has ended',
      tag: TAG,
      allow: 'deploy:trigger',
      answers: {
        200: { description: 'The deploy, cancelled', schema: TriggerAnswer },
        404: { description: 'No such deploy' },
        409: { description: 'It has ended' },
      },
      async handle({ site, principal, params }) {
        const { id = '' } = params;
        site.deploys.get(id);
        await recordUnlessFull({ site, principal }, 'deploy.cancelled', [{ key: 'deploy', before: id, after: null }]);
        const deploy = await site.deploys.cancel(id, nameOf(principal));
        return { body: { ok: true, deploy } };
      },
    }),
    route<DeploySite>({
      method: 'post',
      path: `${ONE}/rollback`,
      summary: 'Make this deploy the live one again, by the host’s own means; a new entry in the history',
      tag: TAG,
      allow: 'deploy:trigger',
      answers: {
        200: { description: 'The new deploy', schema: TriggerAnswer },
        404: { description: 'No such deploy' },
        409: { description: 'The host cannot, or the deploy was not a success, or was a preview' },
      },
      async handle({ site, principal, params }) {
        const { id = '' } = params;
        site.deploys.get(id);
        await recordOnSite({ site, principal }, 'deploy.rolled_back', [{ key: 'deploy', before: null, after: id }]);
        const deploy = await site.deploys.rollback(id, nameOf(principal), principal);
        return { body: { ok: true, deploy } };
      },
    }),
  ];
}

function logRoute(isStillAllowed: DeployRouteParts['isStillAllowed']): Route<DeploySite> {
  return route<DeploySite>({
    method: 'get',
    path: `${ONE}/log`,
    summary: 'The log of a deploy; with `Accept: text/event-stream` also what is added until it ends',
    tag: TAG,
    headers: ['Last-Event-ID'],
    allow: 'deploy:read',
    answers: {
      200: {
        description: 'The last MiB, without secrets. A stream has events `log {text}`, then `end {status}`',
        contentType: 'text/plain',
        alternatives: [EVENTS],
      },
      404: { description: 'No such deploy' },
    },
    async handle(call) {
      const { site, params, ctx } = call;
      const { id = '' } = params;
      ctx.vary('Accept');
      if (ctx.accepts('text/plain', EVENTS) !== EVENTS) {
        return { headers: NO_STORE, type: 'text/plain; charset=utf-8', body: await site.deploys.log(id) };
      }
      const body = createEventStream(logEvents(site, id, call.header('last-event-id')), {
        stop: site.closing,
        mayGoOn: () => isStillAllowed(call),
      });
      return { type: EVENTS, body };
    },
  });
}

/** The id of an event is the position after it, from which a client that lost the connection goes on. */
function logEvents(
  { deploys }: DeploySite,
  id: string,
  lastId: string,
): (signal: AbortSignal) => AsyncIterable<ServerEvent> {
  const follow = deploys.followLog(id, /^\d{1,15}$/.test(lastId) ? Number(lastId) : 0);
  return async function* events(signal) {
    for await (const { text, next } of follow(signal)) yield { event: 'log', id: `${next}`, data: { text } };
    if (!signal.aborted) yield { event: 'end', data: { status: deploys.get(id).status } };
  };
}

const NO_STORE = { 'Cache-Control': 'no-store' };

/** `null` is an answer too. */
function toJson(value: object | null): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function nameOf({ name, email }: Principal): string {
  return name || email;
}
