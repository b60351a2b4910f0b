// One attempt at one delivery. It uses the webhook's current URL and secret, also for entries that waited.
import { type Outbound, type OutboundAnswer, OutboundError } from '../outbound/request.ts';
import type { Deliver, Delivered } from '../outbox/outbox.ts';
import { signatureHeaders } from './sign.ts';

export interface WebhookTarget {
  url: string;
  /** Empty if no secret has been set since a backup was restored. */
  secret: string;
}

export interface DeliverParts {
  outbound: Pick<Outbound, 'request'>;
  findTarget(webhook: string): WebhookTarget | undefined;
  bodyOf(payload: unknown): Promise<Buffer>;
  userAgent: string;
  now(): Date;
}

const TIMEOUT_MS = 10_000;
/** The body of the answer is not used; so much is received to let the sender finish. */
const MAX_ANSWER_BYTES = 64 << 10;
const GONE = 410;

export function createDeliverer({ outbound, findTarget, bodyOf, userAgent, now }: DeliverParts): Deliver {
  return async ({ id, target: webhook, about, payload }, signal) => {
    const target = findTarget(webhook);
    if (!target) return { ok: false, gone: true, detail: 'the webhook was removed' };
    if (target.secret === '') return { ok: false, detail: 'the webhook has no secret to sign with; set one' };
    const body = await bodyOf(payload);
    const signed = signatureHeaders({ id, event: about.event ?? '', secret: target.secret, body, at: now() });
    const startedAt = performance.now();
    try {
      const answer = await outbound.request({
        url: target.url,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signed },
        body,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      return judge(answer, now());
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const durationMs = Math.round(performance.now() - startedAt);
      const { status, reason, message } = error;
      const known = { durationMs, ...(status === undefined ? {} : { status }) };
      // A receiver that answered 2xx has the delivery, however long its body is and however it ends.
      if (isSuccess(status)) return { ok: true, ...known };
      return { ok: false, detail: `${reason}: ${message}`, ...known };
    }
  };
}

function judge({ status, headers, durationMs }: OutboundAnswer, at: Date): Delivered {
  if (isSuccess(status)) return { ok: true, status, durationMs };
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  const retryAfterMs = readRetryAfter(headers['retry-after'], at);
  return {
    ok: false,
    // The receiver will never accept it.
    gone: status === GONE,
    status,
    durationMs,
    detail: `answered ${status}${redirect}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | undefined, at: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const ms = Date.parse(value) - at.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
