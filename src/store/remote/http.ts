// The HTTP client that isomorphic-git and the transfers use: every wait has an end, every answer a bound, and the token
// goes to the configured host and to no other. Must not put anything secret into an error.
import http from 'node:http';
import https from 'node:https';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { codeOf } from '../../lib/error-code.ts';
import { quoteHost, RemoteError } from './error.ts';

export interface RemoteHttpOptions {
  /** Of the repository. */
  url: string;
  /** The token, or `name:token`. */
  token?: string | undefined;
  /** Name of the variable with the token, for messages. */
  tokenEnv?: string | undefined;
  /** A connection on which nothing moves for so long is given up. */
  idleMs?: number;
  /** Bytes of one answer. */
  maxBytes?: number;
}

export interface RemoteHttp extends HttpClient {
  /** The repository's address: the configured one, or where the host redirected the first request to. */
  readonly url: string;
  /** A text without the token, in whatever form a host gave it back. */
  redact(text: string): string;
}

const IDLE_MS = 60_000;
const MAX_BYTES = 2 ** 30;
const MAX_REDIRECTS = 5;
/** The part of a refusal that is read for the message. */
const REASON_BYTES = 2048;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Hosts take any name beside an access token, but not an empty one. */
const TOKEN_USER = 'x-access-token';

export function createRemoteHttp(options: RemoteHttpOptions): RemoteHttp {
  const { token, tokenEnv, idleMs = IDLE_MS, maxBytes = MAX_BYTES } = options;
  const home = new URL(options.url);
  const pair = token === undefined ? undefined : token.includes(':') ? token : `${TOKEN_USER}:${token}`;
  const basic = pair && Buffer.from(pair, 'utf8').toString('base64');
  let repositoryUrl = options.url.replace(/\/+$/, '');

  function redact(text: string): string {
    let clean = text;
    for (const secret of [basic, token, token?.slice(token.indexOf(':') + 1)]) {
      if (secret) clean = clean.replaceAll(secret, '…').replaceAll(encodeURIComponent(secret), '…');
    }
    return clean;
  }

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
      const next = URL.parse(location, url.href);
      if (!next || redirects >= MAX_REDIRECTS || (next.protocol !== 'https:' && next.protocol !== url.protocol)) {
        throw new RemoteError('refused', `${url.host} redirects to an address that cannot be used`);
      }
      url = next;
    }
  }

  async function send(url: URL, { method = 'GET', headers = {}, body }: GitHttpRequest): Promise<http.IncomingMessage> {
    const own: Record<string, string> = { 'user-agent': 'git/2.0 (colophon)', ...headers };
    if (basic && url.origin === home.origin) own.authorization = `Basic ${basic}`;
    const transport = url.protocol === 'https:' ? https : http;
    const req = transport.request(url, { method, headers: own, agent: false });
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
        answered.catch(() => undefined); // what broke the sending is told
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

  function timedOut(url: URL): RemoteError {
    return new RemoteError('failed', `${url.host} did not answer for ${Math.round(idleMs / 1000)} s`);
  }

  function toFailure(url: URL, error: unknown): RemoteError {
    if (error instanceof RemoteError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === 'ECONNRESET' ? 'the connection broke off' : (code ?? message);
    return new RemoteError('failed', redact(`${url.host} cannot be reached: ${what}`));
  }

  async function refusal(url: URL, response: http.IncomingMessage): Promise<RemoteError> {
    const { statusCode = 0 } = response;
    const said = /^text\/plain/.test(response.headers['content-type'] ?? '') ? await readReason(response) : '';
    response.destroy();
    const reason = said && `; it says: ${quoteHost(redact(said))}`;
    const where = `${url.host} answered ${statusCode}`;
    if (statusCode === 401 || statusCode === 403) {
      const remedy =
        url.origin !== home.origin
          ? `the repository moved to ${url.origin}, which gets no token: put its new address into remote.url`
          : basic
            ? `the token in ${tokenEnv} was refused, or may not do this`
            : 'it wants a token: name the variable that holds one in remote.tokenEnv';
      return new RemoteError('refused', `${where}: ${remedy}${reason}`);
    }
    if (statusCode === 404 || statusCode === 410) {
      const seen = basic ? `or the token in ${tokenEnv} may not see it` : 'or nobody may see it without a token';
      return new RemoteError('refused', `${where}: there is no such repository, ${seen}${reason}`);
    }
    return new RemoteError(statusCode >= 500 || statusCode === 429 ? 'failed' : 'refused', `${where}${reason}`);
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

async function readReason(response: http.IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (text.length >= REASON_BYTES) break;
    }
  } catch (error) {
    return text || (codeOf(error) ?? '');
  }
  return text;
}
