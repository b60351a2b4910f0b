// Requests to a host's API, as every provider makes them: deadlines, retries, bounded answers, errors that say what to
// do. Never follows a redirect, which could carry the token elsewhere, and never shows a token.
import { openAsBlob } from 'node:fs';
import type { z } from 'zod';
import { codeOf } from '../../lib/error-code.ts';
import { OutboundError } from '../../outbound/error.ts';
import { type HostAnswer, LongAnswerError, readAnswer, toShown } from './host-answer.ts';
import { HostError } from './host-error.ts';
import type { ProviderContext } from './provider.ts';
import { type HostNames, toRefusal } from './refusal.ts';
import { askedWaitMs, backoffMs, isRateLimit, isTemporary, isUnread, MAX_RETRIES, MAX_WAIT_MS } from './retry.ts';

export interface HostClientParts extends HostNames {
  context: Pick<ProviderContext, 'fetch' | 'delay' | 'now' | 'signal' | 'log' | 'limits'>;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

/** A body that can be sent again: nothing of it is held in memory between attempts. */
export type HostBody =
  | { json: unknown }
  | { bytes: Uint8Array<ArrayBuffer> }
  /** Streamed from the disk. */
  | { file: string; sizeBytes: number }
  | { stream(): AsyncIterable<Uint8Array>; sizeBytes: number; contentType: string }
  | { form(): Promise<FormData>; sizeBytes: number };

export interface HostRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, with a slash first, its segments percent-encoded. */
  path: string;
  /** Undefined values are left out. */
  query?: Record<string, string | undefined>;
  body?: HostBody;
  /** A function is called before each attempt: for signatures that are good once. */
  headers?: Record<string, string> | (() => Record<string, string>);
  /** In place of the client's token. */
  token?: string;
  /** What is asked for, as it follows "does not allow": `the upload of "index.html"`. */
  what: string;
  /** True if sending it twice does no harm. By default all but POST and PATCH. */
  isRepeatable?: boolean;
  /** Statuses beside 2xx that are an answer and not an error. */
  expect?: readonly number[];
  /** What to do about a status, in place of the general advice: `{404: 'check vercelProject in the deploy settings'}`. */
  advice?: Readonly<Record<number, string>>;
  /** False if the answer need not be JSON. Default true. */
  isJson?: boolean;
  /** Limit for one attempt. By default the context's, else 60 s, and longer for a long body. */
  timeoutMs?: number;
  /** Limit for the answer. Default 16 MiB. */
  maxBytes?: number;
  /** Ends the request beside the context's signal. */
  signal?: AbortSignal;
}

export interface HostClient {
  /** The answer: 2xx, or a status that the request expects. @throws HostError, or the reason of the signal */
  send(request: HostRequest): Promise<HostAnswer>;
  /** The JSON of the answer in this shape. @throws HostError, also if the answer has another shape */
  read<T>(request: HostRequest, shape: z.ZodType<T>): Promise<T>;
  /** The same for an answer that is there already. @throws HostError */
  parse<T>(request: Pick<HostRequest, 'what'>, answer: HostAnswer, shape: z.ZodType<T>): T;
  /** The error of an answer that the request expected, and that turns out to be one. */
  toRefusal(request: HostRequest, answer: HostAnswer): HostError;
}

const CALL_MS = 60_000;
const TOTAL_MS = 60 * 60_000;
/** A body may take this much longer: a slow line uploads 128 KiB in a second. */
const BYTES_PER_MS = 128;
const MAX_ANSWER_BYTES = 16 << 20;
/** Steps of the golden ratio spread any number of waits evenly, without chance. */
const SPREAD_STEP = 0.618;

/** An attempt that failed: the error to end with, and whether and when another may do better. */
interface Failure {
  error: HostError;
  mayRetry: boolean;
  waitMs: number | undefined;
  /** For the log. */
  why: string;
  /** Every request of the client waits. */
  isForAll: boolean;
}

/** The total deadline begins now. */
export function createHostClient(parts: HostClientParts): HostClient {
  const { context, label, baseUrl } = parts;
  const deadline = context.now().getTime() + (context.limits?.totalMs ?? TOTAL_MS);
  let pausedUntil = 0;
  let spread = 0;

  const remainingMs = (): number => deadline - context.now().getTime();
  const outOfTime = (request: HostRequest): HostError =>
    new HostError('timeout', `${label} takes too long: ${request.what} was not done in time; deploy again to resume`);

  async function wait(ms: number, request: HostRequest, error: HostError): Promise<void> {
    if (ms > remainingMs()) throw error;
    const { signal } = request;
    await context.delay(ms, signal ? AbortSignal.any([context.signal, signal]) : context.signal);
    throwIfAborted(request);
  }

  function throwIfAborted(request: HostRequest): void {
    context.signal.throwIfAborted();
    request.signal?.throwIfAborted();
  }

  async function attempt(request: HostRequest): Promise<HostAnswer | Failure> {
    const timeoutMs = Math.min(timeoutOf(request, context.limits?.callMs ?? CALL_MS), remainingMs());
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
    const signals = [context.signal, timeout, ...(request.signal ? [request.signal] : [])];
    const isRepeatable = request.isRepeatable ?? !['POST', 'PATCH'].includes(request.method);
    const target = urlOf(baseUrl, request);
    const init = await initOf(parts, request);
    try {
      const response = await context.fetch(target, { ...init, signal: AbortSignal.any(signals) });
      const answer = await readAnswer(response, request.maxBytes ?? MAX_ANSWER_BYTES);
      return toFailure(parts, request, answer, isRepeatable) ?? answer;
    } catch (cause) {
      throwIfAborted(request);
      return toBrokenOff(parts, request, cause, { isTimeout: timeout.aborted, isRepeatable });
    }
  }

  async function send(request: HostRequest): Promise<HostAnswer> {
    for (let retry = 1; ; retry++) {
      throwIfAborted(request);
      if (remainingMs() <= 0) throw outOfTime(request);
      const pauseMs = pausedUntil - context.now().getTime();
      if (pauseMs > 0) await wait(pauseMs, request, outOfTime(request));
      const result = await attempt(request);
      if (!('error' in result)) return result;
      const { error, mayRetry, waitMs = 0, why, isForAll } = result;
      if (!mayRetry || retry > MAX_RETRIES || waitMs > MAX_WAIT_MS) throw error;
      spread = (spread + SPREAD_STEP) % 1;
      const pause = Math.max(waitMs, backoffMs(retry, spread));
      if (isForAll) pausedUntil = Math.max(pausedUntil, context.now().getTime() + pause);
      context.log(`${label}: ${why}; trying ${request.what} again in ${Math.ceil(pause / 1000)} s`);
      await wait(pause, request, error);
    }
  }

  function parse<T>({ what }: Pick<HostRequest, 'what'>, { json }: HostAnswer, shape: z.ZodType<T>): T {
    const parsed = shape.safeParse(json);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new HostError(
      'host_failed',
      `${label} answers ${what} in another form than documented ("${issue?.path.join('.')}": ${issue?.message}); check ${parts.baseUrlSetting} in the deploy settings`,
    );
  }

  return {
    send,
    parse,
    read: async (request, shape) => parse(request, await send(request), shape),
    toRefusal: (request, answer) => toRefusal(parts, request, answer),
  };
}

function timeoutOf({ timeoutMs, body }: HostRequest, callMs: number): number {
  if (timeoutMs !== undefined) return timeoutMs;
  return callMs + (body && 'sizeBytes' in body ? body.sizeBytes / BYTES_PER_MS : 0);
}

function urlOf(baseUrl: string, { path, query = {} }: HostRequest): URL {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

async function initOf(parts: HostClientParts, request: HostRequest): Promise<RequestInit> {
  const { method, body, token = parts.token } = request;
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'colophon', ...parts.headers });
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  const own = typeof request.headers === 'function' ? request.headers() : request.headers;
  for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value);
  const init = { method, headers, redirect: 'manual' } as const;
  if (!body) return init;
  if ('form' in body) return { ...init, body: await body.form() };
  if (!headers.has('content-type')) headers.set('content-type', contentTypeOf(body));
  if ('json' in body) return { ...init, body: JSON.stringify(body.json) };
  if ('bytes' in body) return { ...init, body: body.bytes };
  if ('file' in body) return { ...init, body: await openAsBlob(body.file) };
  headers.set('content-length', `${body.sizeBytes}`);
  return { ...init, body: ReadableStream.from(body.stream()), duplex: 'half' };
}

function contentTypeOf(body: HostBody): string {
  if ('json' in body) return 'application/json';
  return 'contentType' in body ? body.contentType : 'application/octet-stream';
}

/** Undefined if the answer is as it should be. */
function toFailure(
  parts: HostClientParts,
  request: HostRequest,
  answer: HostAnswer,
  isRepeatable: boolean,
): Failure | undefined {
  const { status, headers } = answer;
  const isGood = status >= 200 && status < 300;
  const isOdd = answer.json === undefined && answer.text.trim() !== '' && (request.isJson ?? true);
  if ((isGood && !isOdd) || (request.expect?.includes(status) && !isOdd)) return undefined;
  const isLimit = isRateLimit(status, headers);
  const waitMs = askedWaitMs(headers, parts.context.now());
  const isHtml = isOdd && (isGood || (headers.get('content-type') ?? '').includes('html'));
  return {
    error: toRefusal(parts, request, answer, isLimit ? (waitMs ?? null) : undefined),
    mayRetry: status !== 401 && (isUnread({ status }) || isLimit || (isRepeatable && (isTemporary(status) || isHtml))),
    waitMs,
    why: isHtml ? `an answer that is not JSON (${status})` : `status ${status}`,
    isForAll: isLimit,
  };
}

function toBrokenOff(
  { label, baseUrl, baseUrlSetting, token }: HostClientParts,
  request: HostRequest,
  cause: unknown,
  { isTimeout, isRepeatable }: { isTimeout: boolean; isRepeatable: boolean },
): Failure {
  if (cause instanceof LongAnswerError) {
    const error = new HostError('host_failed', `${label} answers ${request.what} with too much: ${cause.message}`, {
      cause,
    });
    return { error, mayRetry: false, waitMs: undefined, why: 'a long answer', isForAll: false };
  }
  const inner = cause instanceof Error && cause.cause ? cause.cause : cause;
  if (inner instanceof OutboundError) {
    const error = new HostError(
      'refused_input',
      `${label} was not asked: ${inner.message}; check ${baseUrlSetting} in the deploy settings`,
      { cause },
    );
    return { error, mayRetry: false, waitMs: undefined, why: inner.message, isForAll: false };
  }
  const code = codeOf(inner);
  const why = isTimeout ? 'no answer in time' : `cannot be reached (${code ?? toShown(`${inner}`, [token])})`;
  const error = new HostError(
    isTimeout ? 'timeout' : 'unreachable',
    `${label}, ${new URL(baseUrl).origin}: ${why}, ${request.what} was not done; deploy again later, or check ${baseUrlSetting} in the deploy settings`,
    { cause },
  );
  return { error, mayRetry: isRepeatable || isUnread({ code }), waitMs: undefined, why, isForAll: false };
}
