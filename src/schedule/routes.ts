// The heartbeat, the calendar feed, and users' links to it.
import { hash } from 'node:crypto';
import type { LinkMaker, LinkMakers } from '../access/link-makers.ts';
import type { Principal } from '../access/principal.ts';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { toServiceUrl } from '../http/service-url.ts';
import { forbidden, lacksPermission, notFound, ServiceError } from '../lib/errors.ts';
import type { Calendar } from './calendar.ts';
import type { Heartbeat } from './heartbeat.ts';
import { CalendarLinkShape, CalendarQuery, HeartbeatShape, PlannedQuery, PlannedShape } from './input.ts';
import type { Schedule } from './service.ts';

export interface ScheduledSite {
  id: string;
  org: string;
  schedule: Pick<Schedule, 'calendar' | 'planned'>;
  audit: Audit;
}

export interface ScheduleRouteParts {
  heartbeat: Heartbeat;
  /** The open sites. */
  sites(): ScheduledSite[];
  /** Users and access tokens whose links are valid. */
  linkMakers: LinkMakers;
  recordOnSite: RecordOnSite;
  /** `CMS_PUBLIC_URL`; without it links lead to the host of the request. */
  publicUrl: string | undefined;
  /** Host and port of the request. */
  hostOf(call: Call<ScheduledSite, unknown, unknown>): string;
}

const FEED = '/api/cms/scheduled/calendar.ics';

export function scheduleRoutes(parts: ScheduleRouteParts): Route<ScheduledSite>[] {
  /** Finds the owner and the site of a link: each site's links are keyed with its own secret. */
  async function findOwner(token: string): Promise<{ site: ScheduledSite; principal: Principal } | undefined> {
    for (const site of parts.sites()) {
      const maker = await site.schedule.calendar.findMaker(token, parts.linkMakers.list());
      const principal = maker && parts.linkMakers.findPrincipal(maker);
      if (principal) return { site, principal };
    }
    return undefined;
  }

  /** Refuses with 401 without a valid link to the site; only callers with a valid link get 404 for a missing site. */
  async function findCalendar(query: { token?: string; org?: string; site?: string }): Promise<Calendar> {
    const found = query.token === undefined ? undefined : await findOwner(query.token);
    if (!found) throw refused();
    const { site, principal } = found;
    if (query.site !== undefined && query.site !== site.id) {
      throw parts.sites().some(({ id }) => id === query.site) ? refused() : notFound(`site "${query.site}"`);
    }
    if (!principal.mayTouch(site)) throw forbidden(`the link's owner has no access to site "${site.id}"`);
    if (!principal.permissions.has('content:read')) throw lacksPermission(principal, 'content:read');
    if (query.org !== undefined && query.org !== site.org) throw notFound(`organization "${query.org}"`);
    return site.schedule.calendar;
  }

  function getMaker(principal: Principal): LinkMaker {
    const maker = parts.linkMakers.of(principal);
    if (!maker)
      throw new ServiceError('unauthenticated', 'a calendar link needs an owner; sign in or use an access token');
    return maker;
  }

  async function answerLink(call: Call<ScheduledSite, unknown, unknown>) {
    const { site, principal } = call;
    const token = await site.schedule.calendar.token(getMaker(principal));
    const query = new URLSearchParams({ token, org: site.org, site: site.id });
    const url = `${toServiceUrl(parts.publicUrl, parts.hostOf(call))}${FEED}?${query}`;
    return { headers: { 'Cache-Control': 'no-store' }, body: { url, token } };
  }

  return [
    route({
      method: 'get',
      path: '/api/cms/heartbeat',
      summary:
        'Do everything that is due at all sites: scheduled publication, agents, backups, link checks, the calendar',
      tag: 'Scheduler',
      allow: 'service',
      site: false,
      answers: {
        200: { description: 'The actions and errors', schema: HeartbeatShape },
        401: { description: 'Without the service token' },
      },
      handle: async () => ({ body: await parts.heartbeat() }),
    }),
    plannedRoute(),
    route<ScheduledSite, typeof CalendarQuery>({
      method: 'get',
      path: FEED,
      summary: 'Scheduled publication and withdrawal, backups and link checks, as a calendar to subscribe to',
      tag: 'Scheduler',
      allow: 'public',
      site: false,
      query: CalendarQuery,
      headers: ['If-None-Match'],
      answers: {
        200: { description: 'iCalendar', contentType: 'text/calendar' },
        304: { description: 'Not changed' },
        401: { description: 'The token is missing or not valid for this site' },
        403: { description: 'Its owner may no longer read this site' },
        404: { description: 'No such site in this organization' },
      },
      async handle(call) {
        const calendar = await findCalendar(call.query());
        const text = await calendar.text(toServiceUrl(parts.publicUrl, parts.hostOf(call)) || undefined);
        return {
          type: 'text/calendar; charset=utf-8',
          etag: `"${hash('sha256', text).slice(0, 32)}"`,
          headers: {
            'Cache-Control': 'private, max-age=60',
            'Content-Disposition': 'inline; filename="calendar.ics"',
          },
          body: text,
        };
      },
    }),
    route({
      method: 'get',
      path: '/api/admin/calendar',
      summary:
        "The caller's own link to the calendar; valid until their password changes or the access token in use ends",
      tag: 'Scheduler',
      allow: 'content:read',
      answers: { 200: { description: 'The link', schema: CalendarLinkShape } },
      handle: answerLink,
    }),
    route({
      method: 'post',
      path: '/api/admin/calendar/rotate',
      summary: "Replace all links to the site's calendar; existing links end",
      tag: 'Scheduler',
      allow: 'org:settings:write',
      answers: { 200: { description: "The caller's new link", schema: CalendarLinkShape } },
      async handle(call) {
        await parts.recordOnSite(call, 'calendar.rotated', []);
        await call.site.schedule.calendar.rotate();
        return answerLink(call);
      },
    }),
  ];
}

function refused(): ServiceError {
  return new ServiceError('unauthenticated', 'the calendar link is not valid, or no longer valid');
}

function plannedRoute(): Route<ScheduledSite> {
  return route<ScheduledSite, typeof PlannedQuery>({
    method: 'get',
    path: '/api/cms/scheduled',
    summary: 'What is planned: documents that go live or offline, backups and other jobs',
    tag: 'Scheduler',
    allow: 'content:read',
    query: PlannedQuery,
    answers: {
      200: { description: 'At most 1,000 events, the soonest first', schema: PlannedShape },
      400: { description: 'Invalid query' },
    },
    handle: ({ site, query }) => ({ headers: { 'Cache-Control': 'no-store' }, body: site.schedule.planned(query()) }),
  });
}
