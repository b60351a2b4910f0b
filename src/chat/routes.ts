// The chat over HTTP: an event stream for each turn, and the conversations that are kept.
import { z } from 'zod';
import { type Actor, ANONYMOUS, type Principal } from '../access/principal.ts';
import { BEGIN_EVENT, openEventStream, type ServerEvent } from '../http/event-stream.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { anyObject } from '../lib/any-object.ts';
import { conflict, lacksPermission, ServiceError } from '../lib/errors.ts';
import type { ToolCaller } from '../tools/tool.ts';
import { Confirmation } from './confirmation.ts';
import { Conversation, ConversationSummary, type StoredConversation, toConversation } from './conversation.ts';
import { ownerOf } from './conversations.ts';
import { ChatBody, ConfirmBody } from './input.ts';
import type { Chat, ChatTurn } from './service.ts';

/** The part of a request's site that these routes need. */
export interface ChatSite {
  chat: Chat;
  ai: { readonly model: string | undefined };
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

type ChatCall = Pick<Call<ChatSite, unknown, unknown>, 'ctx' | 'site' | 'principal'>;

export interface ChatRouteParts {
  now: () => Date;
  toActor(principal: Principal): Actor;
  /** Who the caller is by now; undefined if the credentials, or the right to the site, have gone. */
  principalNow(call: ChatCall): Principal | undefined;
}

const TAG = 'Chat';
const EVENTS = 'text/event-stream';
const NO_STORE = { 'Cache-Control': 'no-store' };
const LIST = '/api/cms/chat/conversations';
const NO_CONVERSATION = { description: 'No such conversation of the caller' };
const Confirmed = Confirmation.extend({
  result: anyObject().optional().meta({ description: 'what the tool returned' }),
});
const Success = z.object({ success: z.literal(true) });
/** A conversation that a client goes on with may be longer than a request; then it begins a new one. */
const MAX_KEPT_CHARS = 1_000_000;

export function chatRoutes(parts: ChatRouteParts): Route<ChatSite>[] {
  return [turnRoute(parts), confirmRoute(parts), ...conversationRoutes(parts)];
}

function turnRoute(parts: ChatRouteParts): Route<ChatSite> {
  return route<ChatSite, z.ZodType<unknown>, typeof ChatBody>({
    method: 'post',
    path: '/api/cms/chat',
    summary: 'A turn of a chat with a model that has the tools of its caller',
    tag: TAG,
    allow: 'content:read',
    body: ChatBody,
    answers: {
      200: {
        description:
          'Events `text {text}`, `tool_call {id, tool, input}`, `tool_result {id, tool, result}`, `confirm {id, tool, effect, document}`, `error {message, code}`, `done {conversationId, usage}`',
        contentType: EVENTS,
      },
      400: { description: 'Messages that do not fit' },
      402: { description: 'The budget of the day is used up; `Retry-After` says when it begins anew' },
      404: NO_CONVERSATION,
      409: { description: 'The conversation is too long to go on with' },
      503: { description: 'No provider is set up' },
    },
    async handle(call) {
      const { site, principal } = call;
      const { messages, conversationId } = await call.body();
      const owner = ownerOf(principal);
      const kept = conversationId === undefined ? undefined : await site.chat.conversations.get(owner, conversationId);
      if (kept && messages.length === 1 && sizeOf(kept) > MAX_KEPT_CHARS) {
        throw conflict(`conversation "${kept.id}" is too long to go on with; begin a new one`);
      }
      site.chat.checkReady();
      const caller = callerOf(call, parts);
      const body = await openEventStream((signal) => turnEvents(site.chat, { messages, kept, owner, caller, signal }), {
        stop: site.closing,
        mayGoOn: () => caller.principal.permissions.has('content:read'),
      });
      return { type: EVENTS, body };
    },
  });
}

function confirmRoute(parts: ChatRouteParts): Route<ChatSite> {
  return route<ChatSite, z.ZodType<unknown>, typeof ConfirmBody>({
    method: 'post',
    path: '/api/cms/chat/{id}/confirm',
    summary: 'Confirm, or refuse, a call that waits for the person; `id` is that of the `confirm` event',
    tag: TAG,
    // A program must not confirm what a model has asked for.
    allow: 'session',
    body: ConfirmBody,
    bodyOptional: true,
    answers: {
      200: { description: 'It is done, or refused', schema: Confirmed },
      403: { description: 'The right to do it is missing by now' },
      404: { description: 'No such confirmation of the caller: its conversation may be deleted' },
      409: { description: 'It was answered before, or has expired' },
      412: { description: 'What it is about has changed since' },
    },
    async handle(call) {
      const { site, principal, params } = call;
      if (!principal.permissions.has('content:read')) throw lacksPermission(principal, 'content:read');
      const { confirm } = await call.body();
      const { confirmation, result } = await site.chat.decide({
        ...{ id: params.id ?? '', isConfirmed: confirm, owner: ownerOf(principal) },
        caller: { ...callerOf(call, parts), signal: site.closing },
        person: parts.toActor(principal),
      });
      return { headers: NO_STORE, body: { ...confirmation, ...(result ? { result } : {}) } };
    },
  });
}

/** The principal is looked up at each call of a tool: a role, a token or a session may end while a model thinks. */
function callerOf(call: ChatCall, { principalNow, toActor }: ChatRouteParts): Omit<ToolCaller, 'signal'> {
  const now = (): Principal => principalNow(call) ?? ANONYMOUS;
  const { model } = call.site.ai;
  return {
    get principal() {
      return now();
    },
    get actor(): Actor {
      const principal = now();
      const actor = toActor(principal.userId === null ? call.principal : principal);
      return { ...actor, kind: 'ai', ...(model === undefined ? {} : { aiModel: model }) };
    },
    via: 'chat',
    get publishedOnly() {
      return !now().permissions.has('content:read');
    },
  };
}

/** A refusal in the middle is an event, because the status has left by then; the budget is checked before that. */
async function* turnEvents(chat: Chat, turn: ChatTurn): AsyncGenerator<ServerEvent> {
  let hasBegun = false;
  try {
    for await (const { type, ...data } of chat.turn(turn)) {
      yield hasBegun ? { event: type, data } : BEGIN_EVENT;
      hasBegun = true;
    }
  } catch (error) {
    if (turn.signal.aborted) return;
    if (!hasBegun || !(error instanceof ServiceError)) throw error;
    yield { event: 'error', data: { message: error.message, code: error.code } };
  }
}

function conversationRoutes({ now }: ChatRouteParts): Route<ChatSite>[] {
  return [
    route<ChatSite>({
      method: 'get',
      path: LIST,
      summary: 'The conversations of the caller, newest first',
      tag: TAG,
      allow: 'content:read',
      answers: {
        200: { description: 'At most 200', schema: z.object({ conversations: z.array(ConversationSummary) }) },
      },
      handle: async ({ site, principal }) => ({
        headers: NO_STORE,
        body: { conversations: await site.chat.conversations.list(ownerOf(principal)) },
      }),
    }),
    route<ChatSite>({
      method: 'delete',
      path: LIST,
      summary: 'Delete all conversations of the caller',
      tag: TAG,
      allow: 'content:read',
      answers: { 200: { description: 'Deleted', schema: Success } },
      async handle({ site, principal }) {
        await site.chat.conversations.removeAll(ownerOf(principal));
        return { body: { success: true } };
      },
    }),
    route<ChatSite>({
      method: 'get',
      path: `${LIST}/{id}`,
      summary: 'A conversation of the caller',
      tag: TAG,
      allow: 'content:read',
      answers: { 200: { description: 'What was said', schema: Conversation }, 404: NO_CONVERSATION },
      handle: async ({ site, principal, params }) => ({
        headers: NO_STORE,
        body: toConversation(await site.chat.conversations.get(ownerOf(principal), params.id ?? ''), now()),
      }),
    }),
    route<ChatSite>({
      method: 'delete',
      path: `${LIST}/{id}`,
      summary: 'Delete a conversation of the caller',
      tag: TAG,
      allow: 'content:read',
      answers: { 200: { description: 'Deleted', schema: Success }, 404: NO_CONVERSATION },
      async handle({ site, principal, params }) {
        await site.chat.conversations.remove(ownerOf(principal), params.id ?? '');
        return { body: { success: true } };
      },
    }),
  ];
}

function sizeOf({ messages }: StoredConversation): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
