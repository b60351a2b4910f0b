// From an action to HTTP and back: sends it, waits for the answer, and records the outcome. The only place that knows
// the addresses of the API.
import { Agent } from 'node:http';
import type { Action, Doc, Operation, Outcome, Seen } from './history.ts';
import type { Lives } from './service.ts';
import { digestOf } from './timeline.ts';
import { type Answer, type Exchange, exchange } from './wire.ts';

/** All clients change the documents of this collection. */
export const SHARED = 'shared';

export interface Sent {
  operation: Operation;
  doc: Doc | undefined;
  /** The answer's body, byte for byte; undefined if there was no answer. */
  text: string | undefined;
}

export interface Sender {
  /** Waits until the service serves, sends, and returns the outcome; `doc` if the answer shows one. */
  send(action: Action, options?: { hangUpAfterMs?: number }): Promise<Sent>;
  close(): void;
}

export interface SenderParts {
  lives: Lives;
  cookie: string;
  record(operation: Operation): void;
  nextId(): string;
}

export function createSender({ lives, cookie, record, nextId }: SenderParts): Sender {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let at = '';
  return {
    async send(action, { hangUpAfterMs } = {}) {
      const url = await lives.serving();
      if (url !== at) {
        agent.destroy();
        agent = new Agent({ keepAlive: true, maxSockets: 1 });
        at = url;
      }
      const id = nextId();
      const { headers = {}, ...rest } = toExchange(action);
      const sent = { ...rest, headers: { cookie, 'x-request-id': id, ...headers } };
      const invokedAtMs = performance.now();
      const answer = await exchange(url, agent, hangUpAfterMs === undefined ? sent : { ...sent, hangUpAfterMs });
      const completedAtMs = performance.now();
      const { outcome, doc } = toOutcome(action, answer);
      const operation = { id, action, invokedAtMs, completedAtMs, outcome };
      record(operation);
      return { operation, doc, text: answer.kind === 'answered' ? answer.text : undefined };
    },
    close: () => agent.destroy(),
  };
}

type Request = Omit<Exchange, 'headers'> & { headers?: Record<string, string> };

function toExchange(action: Action): Request {
  const slug = 'slug' in action ? action.slug : undefined;
  const cms = `/api/cms/${action.collection}`;
  const content = `/api/content/${action.collection}`;
  switch (action.kind) {
    case 'create': {
      const { data, status, key, publishAt, unpublishAt } = action;
      const times = { ...(publishAt ? { publishAt } : {}), ...(unpublishAt ? { unpublishAt } : {}) };
      const body = { data, ...(slug === undefined ? {} : { slug }), ...(status ? { status } : {}), ...times };
      const headers = key === undefined ? undefined : { 'idempotency-key': key };
      return { method: 'POST', path: status ? content : cms, body, ...(headers ? { headers } : {}) };
    }
    case 'update': {
      const { data, status, to, ifMatch } = action;
      const body = { ...(data ? { data } : {}), ...(status ? { status } : {}), ...(to ? { slug: to } : {}) };
      if (ifMatch === undefined) return { method: 'PATCH', path: `${cms}/${slug}`, body };
      return { method: 'PUT', path: `${content}/${slug}`, body, headers: { 'if-match': `"${ifMatch}"` } };
    }
    case 'delete': {
      const headers = action.ifMatch === undefined ? undefined : { 'if-match': `"${action.ifMatch}"` };
      return { method: 'DELETE', path: `${cms}/${slug}`, ...(headers ? { headers } : {}) };
    }
    case 'restore':
      return { method: 'POST', path: `${cms}/${slug}/restore`, body: { commit: action.commit } };
    case 'lock': {
      const path = `${content}/${slug}/_fieldMeta/${action.field}/lock`;
      return { method: 'PUT', path, body: { reason: action.reason } };
    }
    case 'unlock':
      return { method: 'PUT', path: `${content}/${slug}/_fieldMeta/${action.field}/unlock` };
    case 'get':
      return { method: 'GET', path: `${cms}/${slug}` };
    case 'list': {
      const query = new URLSearchParams({
        ...(action.status ? { status: action.status } : {}),
        ...(action.isWhole ? {} : { limit: '20', orderBy: 'updatedAt' }),
      });
      return { method: 'GET', path: `${cms}?${query}` };
    }
    case 'search':
      return { method: 'GET', path: `/api/search?${new URLSearchParams({ q: action.word, limit: '100' })}` };
  }
}

/** Exported for its test. */
export function toOutcome(action: Action, answer: Answer): { outcome: Outcome; doc: Doc | undefined } {
  if (answer.kind !== 'answered') return { outcome: answer, doc: undefined };
  const { status, text, header } = answer;
  if (status !== 200 && status !== 201) {
    // Any other refusal has left nothing.
    if (codeOf(text) === 'outcome_unknown') return { outcome: { kind: 'unknown', status }, doc: undefined };
    const retryAfter = header('retry-after');
    return { outcome: { kind: 'refused', status, ...(retryAfter ? { retryAfter } : {}) }, doc: undefined };
  }
  const blob = header('etag')?.replaceAll('"', '');
  const commit = header('x-cms-commit');
  const body = JSON.parse(text);
  if (action.kind === 'get') {
    const place = `${action.collection}/${action.slug}`;
    const seen: Seen = { place, digest: digestOf(body), ...(blob ? { blob } : {}) };
    // Others change these too, and no one else keeps the bytes of what is replayed on their changes.
    if (action.collection === SHARED || action.collection === 'posts') seen.doc = body;
    return { outcome: { kind: 'ok', seen: [seen] }, doc: body };
  }
  if (action.kind === 'list') {
    const seen = (body.documents as Doc[]).map((doc) => ({
      place: `${doc.collection}/${doc.slug}`,
      digest: digestOf(doc),
      ...(doc.collection === SHARED ? { doc } : {}),
    }));
    return { outcome: { kind: 'ok', seen }, doc: undefined };
  }
  if (action.kind === 'search') {
    const seen = (body as { collection: string; slug: string }[]).map(({ collection, slug }) => ({
      place: `${collection}/${slug}`,
    }));
    return { outcome: { kind: 'ok', seen }, doc: undefined };
  }
  const outcome: Outcome = {
    kind: 'ok',
    ...(blob && action.kind !== 'delete' ? { blob } : {}),
    ...(commit ? { commit } : {}),
    ...(header('idempotent-replayed') ? { isReplayed: true } : {}),
  };
  return { outcome, doc: action.kind === 'create' || action.kind === 'update' ? body : undefined };
}

function codeOf(text: string): string | undefined {
  return text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined;
}
