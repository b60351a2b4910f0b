// One request to the service. A refusal is an `ApiError` with the service's own sentence; a session that is over is
// asked for once more, and then the request is repeated. A POST carries a key, by which the service does it once: if no
// answer comes, it is sent again, and pressing the button again repeats it instead of doing it twice. So is a DELETE.
import { randomId } from './random-id.ts';

export interface Problem {
  path: string;
  message: string;
}

export interface ApiAnswer<T> {
  status: number;
  data: T;
  etag: string | undefined;
  /** The commit that a write made. */
  commit?: string | undefined;
  /** The query of the next page. */
  next?: URLSearchParams | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly Problem[];
  /** The whole answer, for refusals that say more. */
  readonly body: object;
  readonly requestId: string | undefined;
  /** Seconds, of a 429 or 503. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: { error?: string; code?: string; details?: Problem[] }, headers: Headers) {
    super(body.error ?? `The service answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.details = body.details ?? [];
    this.body = body;
    this.requestId = headers.get('x-request-id') ?? undefined;
    const seconds = Number(headers.get('retry-after'));
    this.retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
  }
}

/** Another person changed it since the version that `If-Match` names. */
export function isMoved(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 412;
}

/** No answer came: the device is offline, or the service is down. */
export class OfflineError extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached', { cause });
    this.name = 'OfflineError';
  }
}

/** A write was sent, and no answer came: it may have been carried out all the same. */
export class LostError extends OfflineError {}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Goes on when the page is left. */
  keepalive?: boolean;
  /** The answer is text and not JSON. */
  isText?: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ClientParts {
  fetch: typeof fetch;
  /** The site that the page shows; undefined for the default one. */
  site(): string | undefined;
  /** Resolves once the person has signed in again; rejects if they do not want to. */
  signInAgain(): Promise<void>;
  /** Whether a session was there: a stranger's 401 is only a refusal. */
  isSignedIn(): boolean;
  onConnection(isThere: boolean): void;
  /** A write was refused for what concerns all writes: no space, or a service that accepts none now. */
  onRefused?(): void;
  /** Before a POST whose answer was lost is sent again. */
  pause?(): Promise<void>;
  /** The device has no network: nothing leaves it. */
  isOff?(): boolean;
  /** A write may have been carried out, and nobody knows: what the service has is to be read again. */
  onLost?(): void;
}

export type Client = <T>(method: Method, url: string, options?: RequestOptions) => Promise<ApiAnswer<T>>;

/** Paths that are not asked again: they are how one signs in. */
const AUTH = '/api/auth/';
const REFUSED: readonly number[] = [503, 507];
export const KEY = 'Idempotency-Key';

/** Sends a request, and once more after the person has signed in again. @throws OfflineError */
export type Send = (method: Method, url: string, options?: RequestOptions) => Promise<Response>;

export function createSend(parts: ClientParts): Send {
  async function once(
    method: Method,
    url: string,
    { body, headers, signal, keepalive }: RequestOptions,
  ): Promise<Response> {
    const all: Record<string, string> = { Accept: 'application/json', ...headers };
    if (body !== undefined) all['Content-Type'] = 'application/json';
    const init: RequestInit = { method, headers: all, credentials: 'same-origin' };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;
    if (keepalive) init.keepalive = true;
    try {
      const response = await parts.fetch(withSite(url, parts.site()), init);
      parts.onConnection(response.status < 500 || isOurs(response));
      return response;
    } catch (error) {
      if (signal?.aborted) throw error;
      parts.onConnection(false);
      throw new OfflineError(error);
    }
  }

  return async (method, url, options = {}) => {
    const response = await once(method, url, options);
    if (response.status !== 401 || !parts.isSignedIn() || url.startsWith(AUTH)) return response;
    await parts.signInAgain();
    return once(method, url, options);
  };
}

/** A proxy answers in its own way for a service that is gone. */
function isOurs({ headers }: Response): boolean {
  return /json/.test(headers.get('content-type') ?? '');
}

const PAUSE_MS = 1000;
/** After that, the same press means to do it again. */
const LOST_FOR_MS = 60_000;

/** An answer that was read to its end: one that breaks off in the middle is lost too. */
interface WholeAnswer {
  response: Response;
  text: string;
}

/** Browsers report an answer that breaks off as a TypeError. */
export function toLost(error: unknown, signal: AbortSignal | undefined): unknown {
  return error instanceof TypeError && !signal?.aborted ? new OfflineError(error) : error;
}

type SendWhole = (method: Method, url: string, options: RequestOptions) => Promise<WholeAnswer>;

function createSendWhole(send: Send): SendWhole {
  return async (method, url, options) => {
    const response = await send(method, url, options);
    try {
      return { response, text: await response.text() };
    } catch (error) {
      throw toLost(error, options.signal);
    }
  };
}

/** Sends what is not answered once more, by the same key. */
function createSendOnce({ pause = untilBack }: ClientParts, send: SendWhole): SendWhole {
  /** Keys of POSTs without an answer, by what they asked for. */
  const lost = new Map<string, { key: string; untilMs: number }>();

  return async (method, url, options = {}) => {
    if (method === 'DELETE' && options.body === undefined && !options.keepalive) return sendDelete(url, options);
    // Who brings a key repeats by itself.
    const isOwn = method !== 'POST' || url.startsWith(AUTH) || options.headers?.[KEY] !== undefined;
    if (isOwn) return send(method, url, options);
    // Bodies may have secrets in them.
    for (const [old, { untilMs }] of lost) if (untilMs <= performance.now()) lost.delete(old);
    const wish = `${url} ${JSON.stringify(options.body)}`;
    const known = lost.get(wish) ?? { key: randomId(), untilMs: performance.now() + LOST_FOR_MS };
    const keyed = { ...options, headers: { ...options.headers, [KEY]: known.key } };
    try {
      const whole = await repeat(() => send(method, url, keyed), options.signal);
      if (isAnswer(whole)) lost.delete(wish);
      else lost.set(wish, known);
      return whole;
    } catch (error) {
      if (error instanceof OfflineError) lost.set(wish, known);
      throw error;
    }
  };

  /** It may be asked for twice: what is not there any more then was deleted by the first request. */
  async function sendDelete(url: string, options: RequestOptions): Promise<WholeAnswer> {
    let count = 0;
    const whole = await repeat(() => {
      count++;
      return send('DELETE', url, options);
    }, options.signal);
    return count > 1 && whole.response.status === 404 ? { response: new Response(), text: '' } : whole;
  }

  async function repeat(work: () => Promise<WholeAnswer>, signal: AbortSignal | undefined): Promise<WholeAnswer> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
      await pause();
      signal?.throwIfAborted();
      return work();
    }
  }
}

/** A proxy that gave up waiting does not know what the service did, and the first request may still be running. */
function isAnswer({ response, text }: WholeAnswer): boolean {
  if (response.status >= 500) return isOurs(response);
  return response.status !== 409 || !/"code":"in_progress"/.test(text);
}

/** An answer was lost: the connection, or a service that starts again, has this long to be back. */
export function untilBack(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** A proxy that gave up on the service, or lost it on the way. */
const GIVEN_UP: readonly number[] = [502, 504];

/** Nobody knows what became of a write without an answer, unless it never left the device. */
function createSendKnown(parts: ClientParts, send: SendWhole): SendWhole {
  const lost = (cause: unknown): LostError => {
    parts.onLost?.();
    return new LostError(cause);
  };
  return async (method, url, options) => {
    if (method === 'GET' || url.startsWith(AUTH) || parts.isOff?.()) return send(method, url, options);
    let whole: WholeAnswer;
    try {
      whole = await send(method, url, options);
    } catch (error) {
      throw error instanceof OfflineError ? lost(error.cause) : error;
    }
    if (GIVEN_UP.includes(whole.response.status) && !isOurs(whole.response)) throw lost(whole.response.status);
    return whole;
  };
}

export function createClient(parts: ClientParts): Client {
  const send = createSendKnown(parts, createSendOnce(parts, createSendWhole(createSend(parts))));
  return async function request<T>(method: Method, url: string, options: RequestOptions = {}): Promise<ApiAnswer<T>> {
    const { response, text } = await send(method, url, options);
    const etag = response.headers.get('etag') ?? undefined;
    if (response.status === 304) return { status: 304, data: undefined as T, etag };
    if (method !== 'GET' && REFUSED.includes(response.status)) parts.onRefused?.();
    const data = options.isText && response.ok ? text : toBody(response, text);
    const commit = response.headers.get('x-cms-commit') ?? undefined;
    const next = /<[^>?]*\?([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return {
      ...{ status: response.status, data: data as T, etag, commit },
      next: next === undefined ? undefined : new URLSearchParams(next),
    };
  };
}

/** @throws ApiError if the service refused */
export async function readBody(response: Response): Promise<unknown> {
  return toBody(response, await response.text());
}

function toBody(response: Response, text: string): unknown {
  const data = parse(text);
  if (!response.ok) throw new ApiError(response.status, isObject(data) ? data : {}, response.headers);
  return data;
}

/** The address with the site that it is about. */
export function withSite(url: string, site: string | undefined): string {
  return site === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}site=${encodeURIComponent(site)}`;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    // A proxy's page instead of an answer of ours.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
