// One stream of what happens in a site, for pages that are open; and what they say about who has what open.
import type { z } from 'zod';
import type { Permission, Principal } from '../access/principal.ts';
import type { SiteAgents } from '../agents/service.ts';
import type { BackupNews, Backups } from '../backups/service.ts';
import { mayReadVoice } from '../brand-voice/input.ts';
import type { BrandVoice } from '../brand-voice/service.ts';
import type { Chat } from '../chat/service.ts';
import type { ContentService } from '../content/api.ts';
import type { Curation } from '../curation/service.ts';
import type { RevalidationService } from '../deploy/revalidation/service.ts';
import type { Deploys } from '../deploy/service.ts';
import type { FormsService } from '../forms/service.ts';
import type { HistoryService } from '../history/service.ts';
import { createEventStream, type ServerEvent } from '../http/event-stream.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { lacksPermission, ServiceError } from '../lib/errors.ts';
import { fromCalls } from '../lib/queues/from-calls.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import type { LinkCheck } from '../links/service.ts';
import type { Schedule } from '../schedule/service.ts';
import { PresenceBody, PresenceShape } from './input.ts';
import { merge } from './merge.ts';
import { createPresence, type Presence } from './presence.ts';

export interface LiveSite {
  history: Pick<HistoryService, 'recent' | 'watchRecent'>;
  content: Pick<ContentService, 'get'>;
  deploys: Pick<Deploys, 'listen' | 'listenToRuns'>;
  forms: Pick<FormsService, 'listen'>;
  schedule: Pick<Schedule, 'listen'>;
  backups: Pick<Backups, 'listen'>;
  links: Pick<LinkCheck, 'listen'>;
  curation: Pick<Curation, 'listen'>;
  agents: Pick<SiteAgents, 'listen'>;
  brandVoice: Pick<BrandVoice, 'listen'>;
  chat: Pick<Chat, 'listen'>;
  revalidation: Pick<RevalidationService, 'listen'>;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

export interface LiveRouteParts {
  /** Undefined if the caller's credentials, or the right to the site, have gone. */
  principalNow(call: Call<LiveSite, unknown, unknown>): Principal | undefined;
  /** Changes of the service's users, as far as the principal may see them. */
  listenToTeam(now: () => Principal | undefined, listener: (news: { id: string }) => void): () => void;
  version: string;
  elapsedMs: ElapsedMs;
}

const TAG = 'Live';
const EVENT_STREAM = 'text/event-stream';
const NO_STORE = { 'Cache-Control': 'no-store' };
const MEDIA = 'media';
const NOBODY = { kind: 'anonymous', role: null } as const;

export function liveRoutes({ principalNow, listenToTeam, version, elapsedMs }: LiveRouteParts): Route<LiveSite>[] {
  const presences = new WeakMap<AbortSignal, Presence>();
  /** The presence of a site, for as long as the site is open. */
  function presenceOf({ closing }: LiveSite): Presence {
    const presence = presences.get(closing) ?? createPresence(elapsedMs);
    presences.set(closing, presence);
    return presence;
  }

  return [
    route<LiveSite>({
      method: 'get',
      path: '/api/admin/events',
      summary: 'Everything that happens in the site, as events, each for those who may read what it is about',
      tag: TAG,
      headers: ['Last-Event-ID'],
      allow: 'content:read',
      answers: {
        200: {
          description:
            '`hello {version, head}` first; then `change` and `media` (a change of the feed with `title` and `author`), `deploy` (as `deploy-done`, with deploy:read), `deploy-run {id, status}` (each change of a deploy, with deploy:read), `revalidation {id}` after each attempt (with deploy:read), `submission {form, id, change, status}` (with forms:read), `job {job, state}` of a scheduled job, of a `link-check`, of a `restore`, after which anything may have changed, and of a `backup` (with sites:read), `curation {id, status, waiting}` of an item of the curation queue, `agent {id, change}` of an agent and its runs (with org:settings:read), `voice {activeId}` of the brand voice (admins and editors), `conversation {id, change}` of a chat of the caller, `team {id}` of a user and their sessions (with team:manage), and `presence {collection, slug, people}`. After `hello` of another connection without its `Last-Event-ID`, anything may have changed',
          contentType: EVENT_STREAM,
        },
        429: { description: 'Too many event streams' },
      },
      async handle(call) {
        const { site } = call;
        const presence = presenceOf(site);
        const { watch, head } = await beginWatch(site, call.header('last-event-id'));
        const now = (): Principal | undefined => principalNow(call);
        const may = (permission: Permission): boolean => now()?.permissions.has(permission) === true;
        const mayReadDeploys = (): boolean => may('deploy:read');
        // The commit of a restore is public in the site, the list of backups is not.
        const mayHearBackup = ({ job }: BackupNews): boolean => job === 'restore' || may('sites:read');
        const mayHearVoice = (): boolean => mayReadVoice(now() ?? NOBODY);
        /** The right is asked for with each event: it may be lost, or won, while the stream is open. */
        const gated = (event: string, mayHear: () => boolean, all: AsyncIterable<unknown>) =>
          toEvents(event, filter(all, mayHear));

        async function* events(signal: AbortSignal): AsyncGenerator<ServerEvent> {
          yield { event: 'hello', data: { version, head } };
          for (const data of presence.list()) yield { event: 'presence', data };
          yield* merge([
            changes(watch(signal)),
            toEvents('presence', fromCalls(presence.listen, signal)),
            toEvents('job', fromCalls(site.schedule.listen, signal)),
            toEvents('job', fromCalls(site.links.listen, signal)),
            toEvents('job', filter(fromCalls(site.backups.listen, signal), mayHearBackup)),
            toEvents('curation', fromCalls(site.curation.listen, signal)),
            // A `deploy-done` counts those who listen.
            ...(may('deploy:read') ? [gated('deploy', mayReadDeploys, site.deploys.listen(signal))] : []),
            gated('deploy-run', mayReadDeploys, fromCalls(site.deploys.listenToRuns, signal)),
            gated('revalidation', mayReadDeploys, fromCalls(site.revalidation.listen, signal)),
            gated('submission', () => may('forms:read'), fromCalls(site.forms.listen, signal)),
            gated('agent', () => may('org:settings:read'), fromCalls(site.agents.listen, signal)),
            gated('voice', mayHearVoice, fromCalls(site.brandVoice.listen, signal)),
            toEvents('conversation', fromCalls(site.chat.listen.bind(undefined, now), signal)),
            gated('team', () => may('team:manage'), fromCalls(listenToTeam.bind(undefined, now), signal)),
          ]);
        }

        const body = createEventStream(events, { stop: site.closing, mayGoOn: () => may('content:read') });
        return { type: EVENT_STREAM, headers: NO_STORE, body };
      },
    }),
    route<LiveSite, z.ZodType<unknown>, typeof PresenceBody>({
      method: 'post',
      path: '/api/admin/presence',
      summary: 'Say that one has a document open; again every 25 seconds, since it is forgotten after 60',
      tag: TAG,
      allow: 'session',
      body: PresenceBody,
      answers: {
        200: { description: 'Who has it open', schema: PresenceShape },
        400: { description: 'Invalid input' },
        404: { description: 'Unknown collection or document' },
      },
      async handle({ site, principal, body }) {
        const { collection, slug, open } = await body();
        if (!principal.permissions.has('content:read')) throw lacksPermission(principal, 'content:read');
        if (open) site.content.get(collection, { slug });
        const people = presenceOf(site).say(
          { collection, slug },
          { id: principal.userId!, name: principal.name },
          open,
        );
        return { headers: NO_STORE, body: { people } };
      },
    }),
  ];
}

type Watch = Awaited<ReturnType<LiveSite['history']['watchRecent']>>;

/** A client whose last event is not in the log any more starts anew, and reads everything again. */
async function beginWatch({ history }: LiveSite, lastEventId: string): Promise<{ watch: Watch; head: string | null }> {
  const since = lastEventId === '' ? undefined : lastEventId;
  const { head } = await history.recent({ limit: 1 });
  try {
    return { watch: await history.watchRecent(since), head };
  } catch (error) {
    const isUnknown = error instanceof ServiceError && (error.code === 'not_found' || error.code === 'invalid_input');
    if (since === undefined || !isUnknown) throw error;
    return { watch: await history.watchRecent(undefined), head };
  }
}

async function* changes(all: ReturnType<Watch>): AsyncGenerator<ServerEvent> {
  for await (const { change, isLastOfCommit } of all) {
    const event = change.collection === MEDIA ? 'media' : 'change';
    yield { event, data: change, ...(isLastOfCommit ? { id: change.commit } : {}) };
  }
}

async function* filter<T>(all: AsyncIterable<T>, mayHear: (one: T) => boolean): AsyncGenerator<T> {
  for await (const one of all) if (mayHear(one)) yield one;
}

async function* toEvents(event: string, all: AsyncIterable<unknown>): AsyncGenerator<ServerEvent> {
  for await (const data of all) yield { event, data };
}
