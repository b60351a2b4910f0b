// The requests of Git LFS's client: streams in both directions, an end to every wait, and the token for the configured
// host alone. What the host's answers name as other addresses gets only the headers that come with them.
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
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
  send(request: LfsRequest): Promise<http.IncomingMessage>;
  /** The error for an answer that the caller has no use for. */
  refusal(url: string, response: http.IncomingMessage): Promise<RemoteError>;
  toFailure(url: string, error: unknown): RemoteError;
  redact(text: string): string;
  close(): void;
}

const IDLE_MS = 60_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TOKEN_USER = 'x-access-token';

export function createLfsHttp({ url, token, tokenEnv, idleMs = IDLE_MS }: RemoteHttpOptions, sockets: number): LfsHttp {
  const home = new URL(url);
  const pair = token === undefined ? undefined : token.includes(':') ? token : `${TOKEN_USER}:${token}`;
  const basic = pair && Buffer.from(pair, 'utf8').toString('base64');
  const redact = createRedaction([basic, token, token?.slice(token.indexOf(':') + 1)]);
  const failures = createHttpFailures({ home, tokenEnv, hasToken: basic !== undefined, idleMs, redact });
  const options = { keepAlive: true, maxSockets: sockets };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  function checkUrl(text: string): URL {
    const to = URL.parse(text);
    const isUsable = to && (to.protocol === 'https:' || (to.protocol === 'http:' && home.protocol === 'http:'));
    if (isUsable) return to;
    throw new RemoteError(
      'refused',
      `${home.host} names an address that cannot be used: ${quoteHost(redact(text), 80)}`,
    );
  }

  function once(to: URL, { method, headers = {}, body, sizeBytes }: LfsRequest): Promise<http.IncomingMessage> {
    const own: Record<string, string> = { 'user-agent': 'git-lfs/3.0 (colophon)', ...headers };
    const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    if (basic && to.origin === home.origin && !isNamed) own.authorization = `Basic ${basic}`;
    if (body) own['content-length'] = String(sizeBytes);
    const isSecure = to.protocol === 'https:';
    const agent = isSecure ? agents['https:'] : agents['http:'];
    return new Promise((resolve, reject) => {
      const req = (isSecure ? https : http).request(to, { method, headers: own, agent });
      req.setTimeout(idleMs, () => req.destroy(failures.timedOut(to)));
      req.on('response', (response) => {
        response.setTimeout(idleMs, () => response.destroy(failures.timedOut(to)));
        resolve(response);
      });
      req.on('error', (error) => reject(failures.toFailure(to, error)));
      if (!body) req.end();
      // A host that refuses while we send says why in its answer.
      else pipeline(body, req).catch((error) => reject(failures.toFailure(to, error)));
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
        to = checkUrl(URL.parse(location, to.href)?.href ?? location);
      }
    },
    refusal: (to, response) => failures.refusal(new URL(to), response),
    toFailure: (to, error) => failures.toFailure(new URL(to), error),
    redact,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
