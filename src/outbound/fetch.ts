// `fetch` through the guard, for what speaks to a host's API: providers, models, sign-in, mail. Its connections are kept
// and used again. It never follows a redirect, sends no cookie and decodes nothing, and uses a proxy only if it is given
// it. Node's own `fetch` asks no guard, and holds what it is given in memory until it has gone; this one waits for the
// line.
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGuard, type GuardParts, type OutboundGuard } from './guard.ts';
import { createResolver } from './names.ts';
import { openRequest } from './open-request.ts';
import { toSentBody } from './sent-body.ts';

export interface GuardedFetch {
  /**
   * As the standard says, with three differences: a redirect is an answer, or an error if `redirect` says so; `input`
   * is an address; a compressed answer is not asked for.
   */
  fetch: typeof fetch;
  /** Ends what is on its way, and the connections. */
  close(): void;
}

export interface FetchParts extends GuardParts {
  /** `proxyEnv` of Node's agents, for connections that may lead anywhere: no other address can be checked behind them. */
  proxies?: Record<string, string> | undefined;
}

/** Connections that were made under one permission: what one allows must not carry what the other refuses. */
interface Pool {
  guard: OutboundGuard;
  agents: { http: HttpAgent; https: HttpsAgent };
}

/**
 * Less than hosts keep an idle connection: they must not close it while a request is on its way. A proxy has as long to
 * open a tunnel.
 */
const IDLE_MS = 4000;
const CONNECT_MS = 10_000;
/** Statuses without a body, which `Response` refuses to give one. */
const EMPTY = new Set([204, 205, 304]);

export function createGuardedFetch(parts: FetchParts): GuardedFetch {
  const { allowPrivate, resolve = createResolver(), remedy, proxies } = parts;
  const pools = new Map<boolean, Pool>();
  let isClosed = false;

  function poolFor(isOpen: boolean): Pool {
    const known = pools.get(isOpen);
    if (known) return known;
    const proxyEnv = isOpen ? proxies : undefined;
    const options = { keepAlive: true, timeout: IDLE_MS, ...(proxyEnv && { proxyEnv }) };
    const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
    const pool = { agents, guard: createGuard({ allowPrivate: () => isOpen, resolve, remedy }) };
    pools.set(isOpen, pool);
    return pool;
  }

  async function send(address: string | URL, init: RequestInit): Promise<Response> {
    const { method = 'GET', signal, redirect } = init;
    signal?.throwIfAborted();
    const url = new URL(address);
    const body = await toSentBody(init.body);
    const headers = headersOf(init.headers, body);
    signal?.throwIfAborted();
    if (isClosed) throw new Error('the service is shutting down');
    const { guard, agents } = poolFor(allowPrivate());
    const agent = url.protocol === 'https:' ? agents.https : agents.http;
    const sending = openRequest(guard, url, { method: method.toUpperCase(), headers, agent });
    const answer = await toAnswer(sending, body?.stream, signal);
    if (redirect === 'error' && isRedirect(answer)) {
      answer.destroy();
      throw new Error('the host answers with a redirect');
    }
    return toResponse(answer, url, method);
  }

  return {
    fetch: async (input, init = {}) => {
      if (input instanceof Request) throw new TypeError('an address is expected, and no Request');
      try {
        return await send(input, init);
      } catch (cause) {
        init.signal?.throwIfAborted();
        // The words of the standard's `fetch`, which libraries know; the reason is the cause.
        throw new TypeError('fetch failed', { cause });
      }
    },
    close() {
      isClosed = true;
      for (const { agents } of pools.values()) for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function headersOf(
  own: RequestInit['headers'],
  body: { type: string | undefined; sizeBytes: number | undefined } | undefined,
): Record<string, string> {
  const headers = new Headers(own);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  headers.set('accept-encoding', 'identity');
  if (body?.type !== undefined && !headers.has('content-type')) headers.set('content-type', body.type);
  if (body?.sizeBytes !== undefined) headers.set('content-length', `${body.sizeBytes}`);
  return Object.fromEntries(headers);
}

/** The answer, which may come before all is sent. Whatever breaks it off later breaks its body off. */
function toAnswer(
  sending: ClientRequest,
  body: AsyncIterable<Uint8Array> | Uint8Array | undefined,
  signal: AbortSignal | null | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const stop = (): void => {
      answer?.destroy(signal?.reason);
      sending.destroy(signal?.reason);
      // While a proxy opens a tunnel, the request cannot say that it has ended.
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    sending.once('close', () => signal?.removeEventListener('abort', stop));
    boundConnecting(sending);
    sending.once('error', reject);
    sending.once('response', (response) => {
      answer = response;
      // An answer that breaks off is an error of its body, which its reader gets.
      response.on('error', () => undefined);
      resolve(response);
    });
    if (body === undefined || body instanceof Uint8Array) sending.end(body);
    // A host that refuses while we send says why in its answer.
    else pipeline(Readable.from(body, { objectMode: false }), sending).catch(reject);
  });
}

function boundConnecting(sending: ClientRequest): void {
  sending.once('socket', (socket) => {
    if (!socket.connecting) return;
    const error = Object.assign(new Error('no connection in time'), { code: 'CONNECT_TIMEOUT' });
    const timer = setTimeout(() => sending.destroy(error), CONNECT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400 && statusCode !== 304 && headers.location !== undefined;
}

function toResponse(answer: IncomingMessage, url: URL, method: string): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  }
  const isEmpty = EMPTY.has(status) || method.toUpperCase() === 'HEAD';
  // So that the connection can be used again.
  if (isEmpty) answer.resume();
  const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>);
  const response = new Response(body, { status, statusText, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}
