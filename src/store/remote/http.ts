// The HTTP client for isomorphic-git and the transfers: every wait and every answer has a limit, and the token goes to
// the configured host and to no other. Must not put anything secret into an error.
import type http from 'node:http';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { createGuard } from '../../outbound/guard.ts';
import { openRequest, sameHostRedirect } from '../../outbound/open-request.ts';
import { RemoteError } from './error.ts';
import { createHttpFailures, createRedaction } from './http-failures.ts';

export interface RemoteHttpOptions {
  /** The repository's address. */
  url: string;
  /** The token, or `name:token`. */
  token?: string | undefined;
  /** Name of the variable with the token, for messages. */
  tokenEnv?: string | undefined;
  /** A connection on which nothing moves for this long is given up. */
  idleMs?: number;
  /** The most bytes of one answer. */
  maxBytes?: number;
}

export interface RemoteHttp extends HttpClient {
  /** The repository's address: the configured one, or another one of its host, if that redirected the first request. */
  readonly url: string;
  /** The text without the token, in whatever form the host returned it. */
  redact(text: string): string;
}

const IDLE_MS = 60_000;
const MAX_BYTES = 2 ** 30;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Hosts accept any name with an access token, except an empty one. */
const TOKEN_USER = 'x-access-token';

export function createRemoteHttp(options: RemoteHttpOptions): RemoteHttp {
  const { token, tokenEnv, idleMs = IDLE_MS, maxBytes = MAX_BYTES } = options;
  const home = new URL(options.url);
  const pair = token === undefined ? undefined : token.includes(':') ? token : `${TOKEN_USER}:${token}`;
  const basic = pair && Buffer.from(pair, 'utf8').toString('base64');
  const redact = createRedaction([basic, token, token?.slice(token.indexOf(':') + 1)]);
  const { timedOut, toFailure, refusal } = createHttpFailures({
    home,
    tokenEnv,
    hasToken: basic !== undefined,
    idleMs,
    redact,
  });
  // The configured address is the operator's own word, and no other host is asked.
  const guard = createGuard({ allowPrivate: () => true });
  let repositoryUrl = options.url.replace(/\/+$/, '');

  async function request(asked: GitHttpRequest): Promise<GitHttpResponse> {
    let url = new URL(asked.url);
    for (let redirects = 0; ; redirects++) {
      const response = await send(url, asked);
      const location = REDIRECTS.has(response.statusCode ?? 0) ? response.headers.location : undefined;
      if (location === undefined || asked.method === 'POST') {
        if (response.statusCode !== 200) throw await refusal(url, response);
        if (asked.method !== 'POST') repositoryUrl = url.href.replace(/\/info\/refs\?.*$/, '');
        return {
          url: url.href,
          method: asked.method ?? 'GET',
          statusCode: 200,
          statusMessage: response.statusMessage ?? '',
          headers: response.headers as Record<string, string>,
          body: bounded(url, response),
        };
      }
      response.destroy();
      const next = sameHostRedirect(url, location);
      if (!next || redirects >= MAX_REDIRECTS) {
        const where = 'redirects to another host, which is not followed: put the address of the repository itself';
        throw new RemoteError('refused', `${url.host} ${where} into remote.url`);
      }
      url = next;
    }
  }

  async function send(url: URL, { method = 'GET', headers = {}, body }: GitHttpRequest): Promise<http.IncomingMessage> {
    const own: Record<string, string> = { 'user-agent': 'git/2.0 (colophon)', ...headers };
    if (basic && url.origin === home.origin) own.authorization = `Basic ${basic}`;
    const req = openRequest(guard, url, { method, headers: own, agent: false });
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      let answer: http.IncomingMessage | undefined;
      req.setTimeout(idleMs, () => {
        answer?.destroy(timedOut(url));
        req.destroy(timedOut(url));
      });
      req.on('response', (response) => {
        answer = response;
        resolve(response);
      });
      req.on('error', (error) => reject(toFailure(url, error)));
    });
    if (body) {
      let isRefused = false;
      req.on('response', ({ statusCode }) => (isRefused = statusCode !== 200));
      try {
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          // A host that refuses while we send says why in its answer.
          if (req.destroyed || isRefused) break;
          if (!req.write(chunk)) await drained(req);
        }
      } catch (error) {
        req.destroy();
        answered.catch(() => undefined); // the caller gets the error that broke the sending
        throw error;
      }
    }
    req.end();
    return answered;
  }

  async function* bounded(url: URL, response: http.IncomingMessage): AsyncIterableIterator<Uint8Array> {
    let count = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        count += chunk.length;
        if (count > maxBytes) {
          throw new RemoteError('refused', `${url.host} sends more than ${Math.floor(maxBytes / 2 ** 20)} MiB`);
        }
        yield chunk;
      }
    } catch (error) {
      throw error instanceof RemoteError ? error : toFailure(url, error);
    } finally {
      response.destroy();
    }
  }

  return {
    request,
    get url() {
      return repositoryUrl;
    },
    redact,
  };
}

function drained(req: http.ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close', 'error', 'response'];
    const done = (): void => {
      for (const event of events) req.off(event, done);
      resolve();
    };
    for (const event of events) req.on(event, done);
  });
}
