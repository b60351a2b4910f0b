// What others report of deploys: the stream of `deploy-done`, the CI that sends one, and the runs of a git host.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createEventStream } from '../http/event-stream.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { unauthenticated } from '../lib/errors.ts';
import { GithubStatus, NotifyAnswer, NotifyBody, NotifyQuery } from './input.ts';
import type { DeployDone } from './notify.ts';
import type { Deploys } from './service.ts';
import type { ReadGithubStatus } from './status/github-status.ts';

/** The part of a request's site that these routes need. */
export interface DeployStatusSite {
  deploys: Pick<Deploys, 'listen'>;
  githubStatus: ReadGithubStatus;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

export interface DeployStatusRouteParts {
  /** DEPLOY_NOTIFY_SECRET. */
  secret: string | undefined;
  /** The sites whose clients get what a CI reports; see which-sites.ts. @throws not_found for a site that is named. */
  sitesOf(app: string, named: string | undefined): readonly { deploys: Pick<Deploys, 'notify'> }[];
  isStillAllowed(call: Call<DeployStatusSite, unknown, unknown>): boolean;
  now(): Date;
}

const TAG = 'Deploys';
const NOTIFY = '/api/admin/deploy/notify';
const EVENTS = 'text/event-stream';

export function deployStatusRoutes(parts: DeployStatusRouteParts): Route<DeployStatusSite>[] {
  const { sitesOf, isStillAllowed, now } = parts;
  const isSecret = createIsSecret(parts.secret);
  return [
    route<DeployStatusSite>({
      method: 'get',
      path: NOTIFY,
      summary: 'The stream of `deploy-done`: ends of our deploys, and those that a CI reports',
      tag: TAG,
      allow: 'deploy:read',
      answers: {
        200: { description: 'Events `deploy-done {status, url, app, duration, at}`', contentType: EVENTS },
        429: { description: 'Too many event streams' },
      },
      handle(call) {
        const { site } = call;
        const body = createEventStream((signal) => eventsOf(site.deploys.listen(signal)), {
          stop: site.closing,
          mayGoOn: () => isStillAllowed(call),
        });
        return { type: EVENTS, headers: { 'Cache-Control': 'no-store' }, body };
      },
    }),
    route<DeployStatusSite, typeof NotifyQuery, typeof NotifyBody>({
      method: 'post',
      path: NOTIFY,
      summary: 'Report the end of a deploy, with the deploy notify secret as bearer token',
      tag: TAG,
      allow: 'public',
      site: false,
      query: NotifyQuery,
      body: NotifyBody,
      answers: {
        200: { description: 'How many streams were notified', schema: NotifyAnswer },
        400: { description: 'Invalid input' },
        401: { description: 'The secret is not set or not this one' },
        404: { description: 'The query names a site that does not exist' },
      },
      async handle(call) {
        if (!isSecret(call.header('authorization'))) throw unauthenticated('the deploy notify secret is required');
        const { duration, ...report } = await call.body();
        const done: DeployDone = { ...report, duration, at: now().toISOString() };
        const sites = sitesOf(report.app, call.query().site);
        const clients = sites.reduce((sum, { deploys }) => sum + deploys.notify(done), 0);
        return { body: { ok: true, clients } };
      },
    }),
    route<DeployStatusSite>({
      method: 'get',
      path: '/api/admin/deploy/github-status',
      summary: 'The newest workflow run of the repository `deployAppName`, at most five seconds old',
      tag: TAG,
      allow: 'deploy:read',
      answers: {
        200: { description: 'The run; `{found: false}` without a token, a repository or a run', schema: GithubStatus },
        502: { description: 'The git host refused, or cannot be reached; the sentence says what to check' },
      },
      handle: async ({ site }) => ({ headers: { 'Cache-Control': 'no-store' }, body: await site.githubStatus() }),
    }),
  ];
}

async function* eventsOf(all: AsyncIterable<DeployDone>) {
  for await (const data of all) yield { event: 'deploy-done', data };
}

/** Compares in constant time, whatever the lengths. Without a secret nothing is right. */
function createIsSecret(secret: string | undefined): (header: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
    const isEqual = timingSafeEqual(digest(given), digest(secret ?? ''));
    return secret !== undefined && secret !== '' && isEqual;
  };
}
