// The requests of Git LFS's client: streams in both directions, an end to every wait, and the token for the configured
// host alone. What the host's answers name as other addresses gets only the headers that come with them.
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createGuard } from '../../outbound/guard.ts';
import { openRequest, sameHostRedirect } from '../../outbound/open-request.ts';
import { quoteHost, RemoteError } from './error.ts';
import type { RemoteHttpOptions } from './http.ts';
import { createHttpFailures, createRedaction } from './http-failures.ts';

export interface LfsRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** With `sizeBytes`, which is then the length of the body. */
  body?: AsyncIterable<Buffer> | undefined;
  sizeBytes?: number | undefined;
}

export interface LfsHttp {
  /** Resolves with the answer, whatever its status; the caller reads or destroys it. Rejects with RemoteError. */
  send(request: LfsRequest): Promise<IncomingMessage>;
  /** The error for an answer that the caller has no use for. */
  refusal(url: string, response: IncomingMessage): Promise<RemoteError>;
  toFailure(url: string, error: unknown): RemoteError;
  redact(text: string): string;
  isClosed(): boolean;
  close(): void;
}

const IDLE_MS = 60_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TOKEN_USER = 'x-access-token';

export interface LfsHttpOptions extends RemoteHttpOptions {
  /** Whether what the host's answers name may be inside the network. Absent: no. */
  allowPrivate?: (() => boolean) | undefined;
}

export function createLfsHttp(options: LfsHttpOptions, sockets: number): LfsHttp {
  const { url, token, tokenEnv, idleMs = IDLE_MS, allowPrivate = () => false } = options;
  const home = new URL(url);
  const pair = token === undefined ? undefined : token.includes(':') ? token : `${TOKEN_USER}:${token}`;
  const basic = pair && Buffer.from(pair, 'utf8').toString('base64');
  const redact = createRedaction([basic, token, token?.slice(token.indexOf(':') + 1)]);
  const failures = createHttpFailures({ home, tokenEnv, hasToken: basic !== undefined, idleMs, redact });
  let isClosed = false;
  const pooled = { keepAlive: true, maxSockets: sockets };
  const agents = { http: new HttpAgent(pooled), https: new HttpsAgent(pooled) };

  const remedy = 'it may be so if the site is the only one, or with CMS_ALLOW_PRIVATE_TARGETS=on';
  const guards = {
    // The configured host is the operator's own word; what its answers name is the host's.
    home: createGuard({ allowPrivate: () => true }),
    named: createGuard({ allowPrivate, remedy }),
  };

  function checkUrl(text: string): URL {
    const to = URL.parse(text);
    const isUsable = to && (to.protocol === 'https:' || (to.protocol === 'http:' && home.protocol === 'http:'));
    if (isUsable) return to;
    throw new RemoteError(
      'refused',
      `${home.host} names an address that cannot be used: ${quoteHost(redact(text), 80)}`,
    );
  }

  async function once(to: URL, request: LfsRequest): Promise<IncomingMessage> {
    try {
      return await ask(to, request);
    } catch (error) {
      throw failures.toFailure(to, error);
    }
  }

  function ask(to: URL, { method, headers = {}, body, sizeBytes }: LfsRequest): Promise<IncomingMessage> {
    const own: Record<string, string> = { 'user-agent': 'git-lfs/3.0 (colophon)', ...headers };
    const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    if (basic && to.origin === home.origin && !isNamed) own.authorization = `Basic ${basic}`;
    if (body) own['content-length'] = String(sizeBytes);
    const agent = to.protocol === 'https:' ? agents.https : agents.http;
    const guard = to.hostname === home.hostname ? guards.home : guards.named;
    return new Promise((resolve, reject) => {
      const req = openRequest(guard, to, { method, headers: own, agent });
      req.setTimeout(idleMs, () => req.destroy(failures.timedOut(to)));
      req.on('response', (response) => {
        response.setTimeout(idleMs, () => response.destroy(failures.timedOut(to)));
        resolve(response);
      });
      req.on('error', reject);
      if (!body) req.end();
      // A host that refuses while we send says why in its answer.
      else pipeline(body, req).catch(reject);
    });
  }

  return {
    async send(request) {
      let to = checkUrl(request.url);
      for (let redirects = 0; ; redirects++) {
        const response = await once(to, redirects > 0 ? { ...request, headers: {} } : request);
        const { location } = response.headers;
        const isElsewhere = REDIRECTS.has(response.statusCode ?? 0) && location !== undefined;
        if (!isElsewhere || request.method !== 'GET' || redirects >= MAX_REDIRECTS) return response;
        response.destroy();
        const next = sameHostRedirect(to, location);
        if (!next) throw new RemoteError('refused', `${to.host} redirects to another host, which is not followed`);
        to = checkUrl(next.href);
      }
    },
    refusal: (to, response) => failures.refusal(new URL(to), response),
    toFailure: (to, error) => failures.toFailure(new URL(to), error),
    redact,
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
