// Agents over HTTP: configurations, runs, and a run as an event stream.
import { z } from 'zod';
import type { Principal } from '../access/principal.ts';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { matchesIfMatch } from '../http/conditional.ts';
import { createEventStream, type ServerEvent } from '../http/event-stream.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import type { VersionMatch } from '../lib/version-tag.ts';
import { Agent, AgentBody, AgentReplaceBody, AgentRun } from './agent.ts';
import { agentEtag, checkAgentMatch, toConfigTags } from './condition.ts';
import type { SiteAgents } from './service.ts';

/** The part of a request's site that these routes need. */
export interface AgentsSite {
  id: string;
  audit: Audit;
  agents: SiteAgents;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

type AgentCall = Pick<Call<AgentsSite, unknown, unknown>, 'ctx' | 'site' | 'principal'>;

export interface AgentRouteParts {
  recordOnSite: RecordOnSite;
  /** Who the caller is by now; undefined if the credentials, or the right to the site, have gone. */
  principalNow(call: AgentCall): Principal | undefined;
}

const TAG = 'Agents';
const LIST = '/api/cms/agents';
const EVENTS = 'text/event-stream';
const HEADERS = { 'Cache-Control': 'no-store' };
const NO_AGENT = { description: 'No such agent' };
const Success = z.object({ success: z.literal(true) });
const RunBody = z.strictObject({ prompt: z.string().min(1).max(50_000), collection: z.string().min(1).max(100) });

export function agentRoutes(parts: AgentRouteParts): Route<AgentsSite>[] {
  return [...configurationRoutes(parts), ...runRoutes(parts)];
}

function configurationRoutes({ recordOnSite }: AgentRouteParts): Route<AgentsSite>[] {
  const one = { description: 'The agent', schema: Agent };
  const nameOf = (name: string | null, other: string | null) => [{ key: 'name', before: other, after: name }];
  return [
    route<AgentsSite>({
      method: 'get',
      path: LIST,
      summary: 'The agents',
      tag: TAG,
      allow: 'org:settings:read',
      answers: { 200: { description: 'All of them', schema: z.object({ agents: z.array(Agent) }) } },
      handle: async ({ site }) => ({ headers: HEADERS, body: { agents: await site.agents.list() } }),
    }),
    route<AgentsSite, z.ZodType<unknown>, typeof AgentBody>({
      method: 'post',
      path: LIST,
      summary: 'Make an agent; a scheduled run has the rights of its maker, and stops with these credentials',
      tag: TAG,
      allow: 'org:settings:write',
      body: AgentBody,
      answers: { 201: one, 400: { description: 'Invalid input, or an unknown collection' } },
      async handle(call) {
        const body = await call.body();
        call.site.agents.check(body);
        await recordOnSite(call, 'agent.created', nameOf(body.name, null));
        const agent = await call.site.agents.create(body, call.principal);
        return { status: 201, ...shown(agent) };
      },
    }),
    route<AgentsSite>({
      method: 'get',
      path: `${LIST}/{id}`,
      summary: 'One agent',
      tag: TAG,
      allow: 'org:settings:read',
      answers: { 200: one, 404: NO_AGENT },
      handle: async ({ site, params }) => shown(await site.agents.get(params.id!)),
    }),
    route<AgentsSite, z.ZodType<unknown>, typeof AgentReplaceBody>({
      method: 'put',
      path: `${LIST}/{id}`,
      summary: 'Replace the configuration of an agent; runs since the version of `If-Match` do not count',
      tag: TAG,
      headers: ['If-Match'],
      allow: 'org:settings:write',
      body: AgentReplaceBody,
      answers: {
        200: one,
        400: { description: 'Invalid input, or an unknown collection' },
        404: NO_AGENT,
        412: { description: 'The configuration has changed since; `ETag` is the present version' },
      },
      async handle(call) {
        const before = await call.site.agents.get(call.params.id!);
        const body = await call.body();
        const ifMatch = toMatch(call.header('If-Match'));
        // A refused change is not in the audit.
        checkAgentMatch(ifMatch, before);
        call.site.agents.check(body);
        await recordOnSite(call, 'agent.updated', nameOf(body.name, before.name));
        return shown(await call.site.agents.replace(before.id, body, call.principal, ifMatch));
      },
    }),
    route<AgentsSite>({
      method: 'delete',
      path: `${LIST}/{id}`,
      summary: 'Delete an agent and its runs; its items stay',
      tag: TAG,
      allow: 'org:settings:write',
      answers: { 200: { description: 'Deleted', schema: Success }, 404: NO_AGENT },
      async handle(call) {
        const { id, name } = await call.site.agents.get(call.params.id!);
        await recordOnSite(call, 'agent.removed', nameOf(null, name));
        await call.site.agents.remove(id);
        return { body: { success: true } };
      },
    }),
  ];
}

function toMatch(header: string): VersionMatch | undefined {
  return header === '' ? undefined : (etag) => matchesIfMatch(toConfigTags(header), toConfigTags(etag));
}

function shown(agent: Agent): Answer {
  return { headers: HEADERS, etag: agentEtag(agent), body: agent };
}

function runRoutes({ principalNow }: AgentRouteParts): Route<AgentsSite>[] {
  const run = { description: 'The run, as it ended', schema: AgentRun };
  return [
    route<AgentsSite, z.ZodType<unknown>, typeof RunBody>({
      method: 'post',
      path: `${LIST}/{id}/run`,
      summary:
        'Run an agent; with Accept: text/event-stream as events `step`, `tool_call`, `tool_result`, `done {run}`',
      tag: TAG,
      allow: 'content:write',
      body: RunBody,
      answers: {
        200: { ...run, alternatives: [EVENTS] },
        400: { description: 'Invalid input, or a collection that the agent may not write' },
        402: { description: 'The budget is used up' },
        404: NO_AGENT,
        409: { description: 'The agent is not active, or stopped with the credentials that activated it' },
        503: { description: 'No provider is set up' },
      },
      async handle(call): Promise<Answer> {
        const { site, params, ctx } = call;
        const id = params.id!;
        await site.agents.get(id);
        const start = { ...(await call.body()), trigger: 'manual' as const, principalNow: () => principalNow(call) };
        if (ctx.accepts('application/json', EVENTS) !== EVENTS) {
          return { headers: HEADERS, body: await site.agents.run(id, start) };
        }
        await site.agents.checkRun(id, start);
        const events = (signal: AbortSignal) => runEvents(site.agents, id, start, signal);
        return { type: EVENTS, body: createEventStream(events, { stop: site.closing }) };
      },
    }),
    route<AgentsSite>({
      method: 'get',
      path: `${LIST}/{id}/runs`,
      summary: 'The last 200 runs of an agent, newest first',
      tag: TAG,
      allow: 'content:write',
      answers: { 200: { description: 'Runs', schema: z.object({ runs: z.array(AgentRun) }) }, 404: NO_AGENT },
      handle: async ({ site, params }) => ({ headers: HEADERS, body: { runs: await site.agents.runs(params.id!) } }),
    }),
    route<AgentsSite>({
      method: 'post',
      path: `${LIST}/{id}/runs/{runId}/cancel`,
      summary: 'Cancel a run; it queues nothing',
      tag: TAG,
      allow: 'content:write',
      answers: { 200: run, 404: { description: 'No such agent or run' }, 409: { description: 'It has ended' } },
      handle: async ({ site, params }) => ({
        headers: HEADERS,
        body: await site.agents.cancel(params.id!, params.runId!),
      }),
    }),
  ];
}

type Start = Parameters<SiteAgents['run']>[1];

/** The run's events as they come; a client that leaves cancels it. */
async function* runEvents(
  agents: SiteAgents,
  id: string,
  start: Start,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const waiting: ServerEvent[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const send = (event: ServerEvent): void => {
    waiting.push(event);
    wake();
  };
  const running = agents
    .run(id, { ...start, signal, emit: ({ type, ...data }) => void (type === 'text' || send({ event: type, data })) })
    .then(
      (run) => send({ event: 'done', data: { run } }),
      (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        send({ event: 'error', data: { message: error.message, code: error.code } });
      },
    )
    .finally(() => {
      isOver = true;
      wake();
    });
  running.catch(() => undefined); // awaited below
  for (;;) {
    while (waiting.length > 0) yield waiting.shift()!;
    if (isOver) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  await running;
}
