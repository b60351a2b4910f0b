// Requests an address to see whether it exists: with HEAD, or GET if the server refuses HEAD. It is polite: one request
// at a time to each host with a pause in between, few hosts at once, and an honest user agent. It follows the redirects
// of a host within that host, so that each address is checked anew; to another host it follows none.
import { setTimeout as delay } from 'node:timers/promises';
import { createInOrderByKey } from '../lib/queues/in-order-by-key.ts';
import { createSlots } from '../lib/queues/slots.ts';
import { sameHostRedirect } from '../outbound/open-request.ts';
import { type Outbound, OutboundError } from '../outbound/request.ts';

export type LinkError =
  | 'timeout'
  | 'unreachable'
  | 'private_address'
  | 'bad_url'
  | 'redirect_loop'
  | 'too_many_redirects'
  | 'http_status';

/** `unsure` if the server is up, but wants a login or fewer requests, or leads to another host. */
export type Answered =
  | { kind: 'fine'; status: number }
  | { kind: 'unsure'; status: number }
  | { kind: 'broken'; error: LinkError; status?: number };

export interface AskParts {
  outbound: Outbound;
  userAgent: string;
  /** Ends pauses and waiting requests. */
  signal: AbortSignal;
  /** Limit for simultaneous requests. */
  atOnce: number;
  /** Pause between the end of one request to a host and the start of the next. */
  hostPauseMs: number;
  timeoutMs: number;
}

const MAX_REDIRECTS = 5;
/** Enough to see that an answer begins; a whole film is not needed. */
const MAX_BYTES = 64 * 1024;
/** The page may exist in spite of these; 999 is how one large network answers programs. */
const UNSURE = new Set([401, 403, 407, 429, 451, 999]);

export function createAsk(parts: AskParts): (url: string) => Promise<Answered> {
  const { outbound, userAgent, signal, hostPauseMs, timeoutMs } = parts;
  const hosts = createInOrderByKey();
  const slots = createSlots({ atOnce: parts.atOnce });

  /** Runs work for one host in turn, with a pause after each. */
  function inTurn<R>(host: string, work: () => Promise<R>): Promise<R> {
    const done = hosts(host, work);
    void hosts(host, pause);
    return done;
  }

  async function pause(): Promise<void> {
    await delay(hostPauseMs, undefined, { signal, ref: false }).catch(() => undefined); // the run may end it early
  }

  async function request(url: URL, method: 'HEAD' | 'GET') {
    signal.throwIfAborted();
    const headers = { 'user-agent': userAgent, accept: '*/*' };
    try {
      const { status, headers: answered } = await outbound.request({
        url: url.href,
        method,
        headers,
        timeoutMs,
        maxBytes: MAX_BYTES,
      });
      return { status, location: answered.location };
    } catch (error) {
      // An answer that is too large to read is an answer.
      if (error instanceof OutboundError && error.reason === 'too_large' && error.status !== undefined) {
        return { status: error.status, location: undefined };
      }
      throw error;
    }
  }

  async function askOnce(url: URL): Promise<{ status: number; location: string | undefined }> {
    return inTurn(url.host, () =>
      slots.run(async () => {
        const head = await request(url, 'HEAD').catch(refusedHead);
        // Servers that do not support HEAD react in many ways, for example with 404 or by closing the connection.
        return head === undefined || (head.status >= 400 && head.status !== 429) ? request(url, 'GET') : head;
      }),
    );
  }

  return async (link) => {
    const seen = new Set<string>();
    let url = new URL(link);
    try {
      for (;;) {
        seen.add(url.href);
        const { status, location } = await askOnce(url);
        if (status < 300 || status >= 400 || status === 304 || location === undefined) return judge(status);
        const next = URL.parse(location, url.href);
        if (!next || !/^https?:$/.test(next.protocol)) return { kind: 'broken', error: 'bad_url', status };
        if (!sameHostRedirect(url, location)) return { kind: 'unsure', status };
        next.hash = '';
        if (seen.has(next.href)) return { kind: 'broken', error: 'redirect_loop', status };
        if (seen.size > MAX_REDIRECTS) return { kind: 'broken', error: 'too_many_redirects', status };
        url = next;
      }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const { reason, status } = error;
      return { kind: 'broken', error: reason === 'too_large' ? 'unreachable' : reason, ...(status ? { status } : {}) };
    }
  };
}

/** GET is tried if the connection was closed on HEAD, but not for a forbidden address or after a timeout. */
function refusedHead(error: unknown): undefined {
  if (error instanceof OutboundError && error.reason === 'unreachable') return undefined;
  throw error;
}

function judge(status: number): Answered {
  if (UNSURE.has(status)) return { kind: 'unsure', status };
  if (status >= 200 && status < 400) return { kind: 'fine', status };
  return { kind: 'broken', error: 'http_status', status };
}
