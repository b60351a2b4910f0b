// The history endpoints: a document's history and versions, deleted documents, and every change as a feed.
import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Actor, Principal } from '../access/principal.ts';
import type { ContentService } from '../content/api.ts';
import { DocumentSchema, WrittenSchema } from '../content/input.ts';
import { answerWritten, clean, errors, writeOptions } from '../content/routes-call.ts';
import { createEventStream, type ServerEvent } from '../http/event-stream.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { invalid } from '../lib/errors.ts';
import type { ChangesPage } from './feed/feed.ts';
import {
  ChangesQuery,
  ChangesSchema,
  DiffQuery,
  DiffSchema,
  HistorySchema,
  PageQuery,
  RECENT,
  RestoreDocumentBody,
  TrashSchema,
} from './input.ts';
import type { HistoryService } from './service.ts';

export interface HistorySite {
  content: ContentService;
  history: HistoryService;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

export interface HistoryRouteParts {
  /** The actor that a request's changes are attributed to. */
  toActor(principal: Principal): Actor;
  /** Whether the credentials of a request that began a while ago still allow its route. */
  isStillAllowed(call: Call<HistorySite, unknown, unknown>): boolean;
}

const DOCUMENT = '/api/cms/{collection}/{slug}';
const EVENT_STREAM = 'text/event-stream';
const TAG = 'History';
/** An answer with more changes is streamed. */
const CHANGES_AT_A_TIME = 200;

export function historyRoutes({ toActor, isStillAllowed }: HistoryRouteParts): Route<HistorySite>[] {
  return [
    route<HistorySite, typeof PageQuery>({
      method: 'get',
      path: `${DOCUMENT}/history`,
      summary: 'A document’s history, newest first, across renames; a deleted document is found by its last slug or id',
      tag: TAG,
      allow: 'content:read',
      query: PageQuery,
      answers: {
        200: { description: 'A page of changes, and how many there are', schema: HistorySchema },
        ...errors({ 400: 'Invalid query', 404: 'Unknown collection or document' }),
      },
      async handle({ site, params, query }) {
        // 404 comes before 400.
        const { collection = '', slug = '' } = params;
        await site.history.check(collection, slug);
        return { body: await site.history.history(collection, slug, query()) };
      },
    }),
    route<HistorySite>({
      method: 'get',
      path: `${DOCUMENT}/history/{commit}`,
      summary: 'The document as it was at a commit of the log',
      tag: TAG,
      headers: ['If-None-Match'],
      allow: 'content:read',
      answers: {
        200: { description: 'The document then', schema: DocumentSchema },
        304: { description: 'Not modified' },
        ...errors({ 404: 'Unknown document or commit, or the document did not exist then' }),
      },
      handle: ({ site, params }) => site.history.version(params.collection!, params.slug!, params.commit!),
    }),
    route<HistorySite, typeof DiffQuery>({
      method: 'get',
      path: `${DOCUMENT}/diff`,
      summary: 'The differences between two versions: keys of the document, then fields of its data',
      tag: TAG,
      allow: 'content:read',
      query: DiffQuery,
      answers: {
        200: { description: 'The fields that differ, with both values', schema: DiffSchema },
        ...errors({ 400: 'Invalid query', 404: 'Unknown document or commit, or the document did not exist then' }),
      },
      async handle({ site, params, query }) {
        const { collection = '', slug = '' } = params;
        await site.history.check(collection, slug);
        return { body: await site.history.diff(collection, slug, query()) };
      },
    }),
    route<HistorySite, z.ZodType<unknown>, typeof RestoreDocumentBody>({
      method: 'post',
      path: `${DOCUMENT}/restore`,
      summary: 'Restore a version of a document, which may be deleted',
      tag: TAG,
      headers: ['If-Match', 'Idempotency-Key'],
      allow: 'content:draft',
      body: RestoreDocumentBody,
      answers: {
        200: { description: 'The document as restored', schema: WrittenSchema },
        ...errors({
          400: 'Invalid input, or the version no longer fits the schema',
          404: 'Unknown document or commit, or the document did not exist then',
          409: 'The version’s slug is taken',
          412: 'Changed since, or deleted',
        }),
      },
      async handle(call) {
        const { collection = '', slug = '' } = call.params;
        const actor = toActor(call.principal);
        await call.site.history.check(collection, slug);
        const ref = { idOrSlug: slug };
        if (call.site.content.find(collection, ref)) call.site.content.checkDocument(collection, ref, actor);
        const { commit } = await call.body();
        const idempotency = await call.idempotency();
        const command = await call.site.history.restorable(collection, slug, commit);
        const options = { ...writeOptions(call), ...(idempotency ? { idempotency } : {}) };
        return answerWritten(await call.site.content.restore(collection, command, actor, options));
      },
    }),
    route<HistorySite, typeof PageQuery>({
      method: 'get',
      path: '/api/admin/trash',
      summary: 'Deleted documents, newest first',
      tag: TAG,
      allow: 'content:read',
      query: PageQuery,
      answers: {
        200: { description: 'A page of deleted documents, and how many there are', schema: TrashSchema },
        ...errors({ 400: 'Invalid query' }),
      },
      handle: async ({ site, query }) => ({ body: await site.history.trash(query()) }),
    }),
    route<HistorySite, typeof ChangesQuery>({
      method: 'get',
      path: '/api/cms/changes',
      summary:
        'Every change since a commit, oldest first, or the newest first; with `Accept: text/event-stream` also future changes',
      tag: TAG,
      headers: ['Last-Event-ID'],
      allow: 'content:read',
      query: ChangesQuery,
      answers: {
        200: {
          description: 'Changes; continue with the commit of the last one. Events of a stream have it as their id',
          schema: ChangesSchema,
          alternatives: [EVENT_STREAM],
        },
        ...errors({ 400: 'Invalid query', 404: 'The log does not have that commit' }),
      },
      handle(call) {
        call.ctx.vary('Accept');
        return call.query().order === 'desc' ? answerRecent(call) : answerOldestFirst(call, isStillAllowed);
      },
    }),
  ];
}

type ChangesCall = Call<HistorySite, z.output<typeof ChangesQuery>, unknown>;

async function answerOldestFirst(
  call: ChangesCall,
  isStillAllowed: HistoryRouteParts['isStillAllowed'],
): Promise<Answer> {
  const query = call.query();
  if (query.before !== undefined) throw invalid([{ path: 'before', message: 'is for `order=desc`; `since` goes on' }]);
  const filters = (['collection', 'user', 'from', 'to'] as const).filter((key) => query[key] !== undefined);
  if (filters.length > 0) throw invalid(filters.map((path) => ({ path, message: 'is for `order=desc`' })));
  return wantsEvents(call) ? answerEvents(call, isStillAllowed) : answerChanges(call);
}

function wantsEvents({ ctx }: ChangesCall): boolean {
  return ctx.accepts('application/json', EVENT_STREAM) === EVENT_STREAM;
}

async function answerRecent(call: ChangesCall): Promise<Answer> {
  const { before, limit = RECENT.default, since, collection, user, from, to } = call.query();
  if (since !== undefined) throw invalid([{ path: 'since', message: 'is for `order=asc`; `before` goes back' }]);
  const { changes, head, next } = await call.site.history.recent({
    ...{ before, limit: Math.min(limit, RECENT.most), collection, user },
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  });
  const headers: Record<string, string> = {};
  if (next !== undefined) {
    const query = new URLSearchParams(call.ctx.search);
    query.set('before', next);
    headers.Link = `<${call.ctx.path}?${query}>; rel="next"`;
  }
  return { headers, body: { changes, head } };
}

async function answerChanges(call: ChangesCall): Promise<Answer> {
  const { since, limit } = call.query();
  const first = await call.site.history.changes({ since, limit: limit ?? CHANGES_AT_A_TIME });
  if (limit === undefined && !first.isLast) {
    return { body: Readable.from(allChanges(call.site.history, first), { objectMode: false }) };
  }
  const { changes, last, head, isLast } = first;
  const headers: Record<string, string> = {};
  if (!isLast && last) {
    const next = new URLSearchParams(call.ctx.search);
    next.set('since', last);
    headers.Link = `<${call.ctx.path}?${next}>; rel="next"`;
  }
  return { headers, body: Buffer.from(`${BEGIN}${changes.join(',')}${endAt(head)}`) };
}

const BEGIN = '{"changes":[';
const endAt = (head: string | null): string => `],"head":${JSON.stringify(head)}}`;

/** Streams up to `head`, so that a client that continues from there has missed nothing. */
async function* allChanges(history: HistoryService, first: ChangesPage): AsyncGenerator<Buffer> {
  yield Buffer.from(BEGIN + first.changes.join(','));
  let page = first;
  while (!page.isLast) {
    page = await history.changes({ since: page.last, limit: CHANGES_AT_A_TIME });
    if (page.changes.length) yield Buffer.from(`,${page.changes.join(',')}`);
  }
  yield Buffer.from(endAt(page.head));
}

/** A client that reconnects sends in `Last-Event-ID` how far it got; this overrides the `since` of its URL. */
async function answerEvents(call: ChangesCall, isStillAllowed: HistoryRouteParts['isStillAllowed']): Promise<Answer> {
  const { since } = clean(call.query());
  const watch = await call.site.history.watch(call.header('last-event-id') || since);

  async function* events(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    for await (const { change, isLastOfCommit } of watch(signal)) {
      yield { event: 'change', data: change, ...(isLastOfCommit ? { id: change.commit } : {}) };
    }
  }

  const body = createEventStream(events, { stop: call.site.closing, mayGoOn: () => isStillAllowed(call) });
  return { type: EVENT_STREAM, body };
}
