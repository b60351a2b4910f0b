// The link check over HTTP.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Answer, type Route, route } from '../http/route.ts';
import { LinkProgress, LinkReport } from './report.ts';
import type { LinkCheck } from './service.ts';

/** The part of a request's site that these routes need. */
export interface LinksSite {
  links: LinkCheck;
}

/** A small site's check has ended by then, and no proxy has given up. */
const WAIT_MS = 10_000;

const LinkCheckShape = z.object({
  running: z.boolean(),
  report: LinkReport.nullable().meta({ description: 'of the last completed run' }),
});

const LinkProgressShape = z.object({
  running: z.boolean(),
  progress: LinkProgress.nullable().meta({ description: 'null if no check is under way' }),
});
const NO_STORE = { 'Cache-Control': 'no-store' };

export function linkRoutes(): Route<LinksSite>[] {
  return [
    route<LinksSite>({
      method: 'get',
      path: '/api/admin/link-check',
      summary: 'The report of the last link check',
      tag: 'Links',
      allow: 'content:read',
      answers: { 200: { description: 'The report, or null before the first run', schema: LinkCheckShape } },
      handle: ({ site }) => show(site, 200),
    }),
    route<LinksSite>({
      method: 'get',
      path: '/api/admin/link-check/progress',
      summary: 'How far the link check is that is under way',
      tag: 'Links',
      allow: 'content:read',
      answers: { 200: { description: 'Its progress; ask once a second', schema: LinkProgressShape } },
      handle: ({ site: { links } }) => ({
        headers: NO_STORE,
        body: { running: links.isRunning(), progress: links.progress() ?? null },
      }),
    }),
    route<LinksSite>({
      method: 'post',
      path: '/api/admin/link-check',
      summary: 'Check the links now',
      tag: 'Links',
      allow: 'content:write',
      answers: {
        200: { description: 'Done: the report of this run', schema: LinkCheckShape },
        202: { description: 'Still running; the report is of the run before', schema: LinkCheckShape },
      },
      async handle({ site }) {
        const run = site.links.run().then(() => true);
        run.catch(() => undefined); // reported if it ends in time; the service logs it anyway
        const isDone = await Promise.race([run, delay(WAIT_MS, false, { ref: false })]);
        return show(site, isDone ? 200 : 202);
      },
    }),
  ];
}

async function show({ links }: LinksSite, status: number): Promise<Answer> {
  const report = (await links.report()) ?? null;
  return { status, headers: NO_STORE, body: { running: links.isRunning(), report } };
}
