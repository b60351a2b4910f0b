// The heartbeat, the calendar feed, and people's links to it.
import { hash } from 'node:crypto';
import type { LinkMaker, LinkMakers } from '../access/link-makers.ts';
import type { Principal } from '../access/principal.ts';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { forbidden, lacksPermission, notFound, ServiceError } from '../lib/errors.ts';
import type { Calendar } from './calendar.ts';
import type { Heartbeat } from './heartbeat.ts';
import { CalendarLinkShape, CalendarQuery, HeartbeatShape } from './input.ts';

export interface ScheduledSite {
  id: string;
  org: string;
  schedule: { calendar: Calendar };
  audit: Audit;
}

export interface ScheduleRouteParts {
  heartbeat: Heartbeat;
  /** Those that are open. */
  sites(): ScheduledSite[];
  /** Whose links hold. */
  linkMakers: LinkMakers;
  recordOnSite: RecordOnSite;
  /** `CMS_PUBLIC_URL`; without it links lead to the host that was asked. */
  publicUrl: string | undefined;
  /** Host and port that the client asked for. */
  hostOf(call: Call<ScheduledSite, unknown, unknown>): string;
}

const FEED = '/api/cms/scheduled/calendar.ics';
/** As RFC 3986 has it; what else a client may send as its Host goes into no link. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

export function scheduleRoutes(parts: ScheduleRouteParts): Route<ScheduledSite>[] {
  /** Whose link it is, and of which site: one site's links are keyed with its own secret. */
  async function findOwner(token: string): Promise<{ site: ScheduledSite; principal: Principal } | undefined> {
    for (const site of parts.sites()) {
      const maker = await site.schedule.calendar.findMaker(token, parts.linkMakers.list());
      const principal = maker && parts.linkMakers.findPrincipal(maker);
      if (principal) return { site, principal };
    }
    return undefined;
  }

  /** 401 for what is no link of the site, 404 for a site that is not there, told to those with a link only. */
  async function findCalendar(query: { token?: string; org?: string; site?: string }): Promise<Calendar> {
    const found = query.token === undefined ? undefined : await findOwner(query.token);
    if (!found) throw refused();
    const { site, principal } = found;
    if (query.site !== undefined && query.site !== site.id) {
      throw parts.sites().some(({ id }) => id === query.site) ? refused() : notFound(`site ${query.site}`);
    }
    if (!principal.mayTouch(site)) throw forbidden(`the site ${site.id} is not yours to touch`);
    if (!principal.permissions.has('content:read')) throw lacksPermission(principal, 'content:read');
    if (query.org !== undefined && query.org !== site.org) throw notFound(`organization ${query.org}`);
    return site.schedule.calendar;
  }

  function getMaker(principal: Principal): LinkMaker {
    const maker = parts.linkMakers.of(principal);
    if (!maker) throw new ServiceError('unauthenticated', 'a calendar link needs somebody whose it is');
    return maker;
  }

  function addressOf(call: Call<ScheduledSite, unknown, unknown>): string | undefined {
    const host = parts.hostOf(call);
    return parts.publicUrl ?? (HOST.test(host) ? `http://${host}` : undefined);
  }

  async function answerLink(call: Call<ScheduledSite, unknown, unknown>) {
    const { site, principal } = call;
    const token = await site.schedule.calendar.token(getMaker(principal));
    const query = new URLSearchParams({ token, org: site.org, site: site.id });
    const url = `${addressOf(call) ?? ''}${FEED}?${query}`;
    return { headers: { 'Cache-Control': 'no-store' }, body: { url, token } };
  }

  return [
    route({
      method: 'get',
      path: '/api/cms/heartbeat',
      summary: 'Do what is due at all sites: scheduled publication, agents, backups, link checks, the calendar',
      tag: 'Scheduler',
      allow: 'service',
      site: false,
      answers: {
        200: { description: 'What was done', schema: HeartbeatShape },
        401: { description: 'Without the service token' },
      },
      handle: async () => ({ body: await parts.heartbeat() }),
    }),
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
        304: { description: 'As it was' },
        401: { description: 'The token is missing, or none of this site' },
        403: { description: 'Its owner may no longer read here' },
        404: { description: 'There is no such site, or not of this organization' },
      },
      async handle(call) {
        const calendar = await findCalendar(call.query());
        const text = await calendar.text(addressOf(call));
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
      summary: "The caller's own link to the calendar; it ends with their password, or the access token that asks",
      tag: 'Scheduler',
      allow: 'content:read',
      answers: { 200: { description: 'The link', schema: CalendarLinkShape } },
      handle: answerLink,
    }),
    route({
      method: 'post',
      path: '/api/admin/calendar/rotate',
      summary: "Make everybody's links to the site's calendar anew; those given so far end",
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
  return new ServiceError('unauthenticated', 'the calendar link is not valid (any more)');
}
