// Turns a failed request to the remote's host into a RemoteError that an administrator can act on and that contains no
// secret, in whatever form the host returned one.
import type http from 'node:http';
import { OutboundError } from '../../outbound/error.ts';
import { quoteHost, RemoteError } from './error.ts';

export interface HttpFailures {
  timedOut(url: URL): RemoteError;
  /** The host could not be reached, or its answer broke off. */
  toFailure(url: URL, error: unknown): RemoteError;
  /** The host answered with a status other than 200; its own words become part of the message. */
  refusal(url: URL, response: http.IncomingMessage): Promise<RemoteError>;
}

export interface HttpFailuresParts {
  /** The configured address: the only one that gets the token. */
  home: URL;
  hasToken: boolean;
  tokenEnv: string | undefined;
  idleMs: number;
  redact(text: string): string;
}

/** How much of a refusal is read for the message. */
const REASON_BYTES = 2048;

export function createRedaction(secrets: readonly (string | undefined)[]): (text: string) => string {
  return (text) => {
    let clean = text;
    for (const secret of secrets) {
      if (secret) clean = clean.replaceAll(secret, '…').replaceAll(encodeURIComponent(secret), '…');
    }
    return clean;
  };
}

export function createHttpFailures({ home, hasToken, tokenEnv, idleMs, redact }: HttpFailuresParts): HttpFailures {
  function timedOut(url: URL): RemoteError {
    return new RemoteError('failed', `${url.host} did not answer for ${Math.round(idleMs / 1000)} s`);
  }

  function toFailure(url: URL, error: unknown): RemoteError {
    if (error instanceof RemoteError) return error;
    if (error instanceof OutboundError) return new RemoteError('refused', error.message);
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
          : hasToken
            ? `the token in ${tokenEnv} was refused, or may not do this`
            : 'it requires a token: name the variable that holds one in remote.tokenEnv';
      return new RemoteError('refused', `${where}: ${remedy}${reason}`);
    }
    if (statusCode === 404 || statusCode === 410) {
      const seen = hasToken ? `or the token in ${tokenEnv} may not see it` : 'or it cannot be seen without a token';
      return new RemoteError('refused', `${where}: there is no such repository, ${seen}${reason}`);
    }
    return new RemoteError(statusCode >= 500 || statusCode === 429 ? 'failed' : 'refused', `${where}${reason}`);
  }

  return { timedOut, toFailure, refusal };
}

async function readReason(response: http.IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (text.length >= REASON_BYTES) break;
    }
  } catch (error) {
    return text || String((error as NodeJS.ErrnoException).code ?? '');
  }
  return text;
}
