// Requests to addresses that a site's people typed: webhooks, revalidation, deploy hooks, form webhooks, the link check.
// Every request has its own connection, and no proxy: what one site allows must not carry what another one refuses.
import type { IncomingMessage } from 'node:http';
import { OutboundError } from './error.ts';
import { createGuard, type GuardParts, type OutboundGuard } from './guard.ts';
import { openRequest } from './open-request.ts';

export { OutboundError, type OutboundReason } from './error.ts';

export interface OutboundRequest {
  /** http or https, any port, without credentials. */
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Limit for everything: name, connection, TLS, sending, the whole answer. */
  timeoutMs: number;
  /** Limit for the answer's body; a longer one is `too_large`. Default 1 MiB. */
  maxBytes?: number;
  /** Ends the request with `unreachable`. */
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  /** Lower case names; a header that came several times is joined with `, `. */
  headers: Record<string, string>;
  /** As it was received: nothing is decoded. */
  body: Buffer;
  durationMs: number;
}

export interface Outbound {
  /**
   * Never follows a redirect: a 3xx is an answer like any other. Refuses private, loopback, link-local and other
   * special addresses when it connects, unless they are allowed. @throws OutboundError and nothing else.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Ends requests in progress with `unreachable`. */
  close(): void;
}

export interface GuardedOutbound extends Outbound {
  /** Checks addresses for requests that are made elsewhere. */
  guard: OutboundGuard;
}

const MAX_BYTES = 1 << 20;

export function createOutbound(parts: GuardParts): GuardedOutbound {
  const guard = createGuard(parts);
  const active = new Set<(error: OutboundError) => void>();
  let isClosed = false;

  function send(url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
    const startedAt = performance.now();
    return new Promise((done, fail) => {
      const outgoing = open(guard, url, request);
      let status: number | undefined;
      const end = (error: OutboundError): void => {
        if (!active.delete(end)) return;
        settle();
        fail(error);
        outgoing.destroy();
      };
      active.add(end);
      const timer = setTimeout(
        () => end(new OutboundError('timeout', `no whole answer in ${request.timeoutMs} ms`, { status })),
        request.timeoutMs,
      );
      const abort = (): void => end(new OutboundError('unreachable', 'the service is shutting down', { status }));
      request.signal?.addEventListener('abort', abort, { once: true });
      const settle = (): void => {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', abort);
      };
      outgoing.on('error', (error) => end(toOutboundError(error, status)));
      // The connection closed early, as after an upgrade without a request; has no effect if the answer is whole.
      outgoing.on('close', () => end(new OutboundError('unreachable', 'the connection was closed', { status })));
      outgoing.on('response', (answer) => {
        status = answer.statusCode ?? 0;
        const chunks: Buffer[] = [];
        let sizeBytes = 0;
        answer.on('data', (chunk: Buffer) => {
          sizeBytes += chunk.length;
          if (sizeBytes > (request.maxBytes ?? MAX_BYTES))
            return end(
              new OutboundError('too_large', `the answer is longer than ${request.maxBytes ?? MAX_BYTES} bytes`, {
                status,
              }),
            );
          chunks.push(chunk);
        });
        answer.on('error', (error) => end(toOutboundError(error, status)));
        answer.on('end', () => {
          if (!active.delete(end)) return;
          settle();
          const durationMs = Math.round(performance.now() - startedAt);
          done({ status: status ?? 0, headers: headersOf(answer), body: Buffer.concat(chunks), durationMs });
        });
      });
      outgoing.end(request.body);
    });
  }

  return {
    guard,
    async request(request) {
      if (isClosed || request.signal?.aborted) throw new OutboundError('unreachable', 'the service is shutting down');
      return send(parseTarget(request.url), request);
    },
    close() {
      isClosed = true;
      for (const end of [...active]) end(new OutboundError('unreachable', 'the service is shutting down'));
    },
  };
}

/** @throws OutboundError */
function open(guard: OutboundGuard, url: URL, { method, headers, body }: OutboundRequest) {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = { 'accept-encoding': 'identity', ...headers, connection: 'close', ...length };
  try {
    return openRequest(guard, url, { method, headers: sent, agent: false });
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    // A header value that HTTP cannot carry, or a path with raw control characters.
    throw new OutboundError('bad_url', `the request cannot be made: ${(cause as Error).message}`, { cause });
  }
}

/** @throws OutboundError `bad_url` */
function parseTarget(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new OutboundError('bad_url', 'the URL cannot be parsed');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('bad_url', `"${url.protocol}" cannot be requested; use http: or https:`);
  }
  if (url.username || url.password) throw new OutboundError('bad_url', 'the URL must not have credentials');
  return url;
}

function toOutboundError(error: Error, status: number | undefined): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new OutboundError('unreachable', code ?? error.message, { status, cause: error });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(entries);
}
