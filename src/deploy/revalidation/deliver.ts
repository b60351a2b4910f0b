// One attempt to revalidate: signed, within ten seconds, without following redirects. If it fails and the site can be
// deployed, a deploy takes its place; else the outbox tries again.
import { createHmac } from 'node:crypto';
import type { Document } from '../../content/document.ts';
import { type Outbound, OutboundError } from '../../outbound/request.ts';
import type { Deliver, Delivered, OutboxEntry } from '../../outbox/outbox.ts';
import { type RevalidationMessage, toRevalidationBody } from './message.ts';

export interface RevalidationTarget {
  url: string;
  secret: string;
}

export interface RevalidationDeliverParts {
  outbound: Pick<Outbound, 'request'>;
  /** Undefined if nothing is to be sent: the settings changed while it waited. */
  findTarget(): RevalidationTarget | undefined;
  findPublished(id: string): Document | undefined;
  /** Whether a deploy can take the place of what failed. */
  hasDeployTarget(): boolean;
  requestDeploy(): Promise<void>;
  userAgent: string;
  now(): Date;
}

const TIMEOUT_MS = 10_000;
/** The body of the answer is not used; so much is received to let the sender finish. */
const MAX_ANSWER_BYTES = 64 << 10;
/** After so many failures in a row the deploy that they asked for stands for all that waited by then. */
const TRUSTED_FAILURES = 3;
const NOT_SENT = 'not sent: the frontend failed several times, and a deploy was begun instead';

export function createRevalidationDeliverer(parts: RevalidationDeliverParts): Deliver {
  const { findTarget, hasDeployTarget, requestDeploy, now } = parts;
  let failures = 0;
  /** When the last deploy was asked for. */
  let coveredUntilMs = Number.NEGATIVE_INFINITY;

  async function deliver(entry: OutboxEntry, signal: AbortSignal): Promise<Delivered> {
    const target = findTarget();
    if (!target) return { ok: false, gone: true, detail: 'revalidateUrl or revalidateSecret was removed' };
    if (failures >= TRUSTED_FAILURES && hasDeployTarget() && entry.createdAt.getTime() <= coveredUntilMs)
      return { ok: false, gone: true, detail: NOT_SENT };
    const result = await send(parts, target, entry, signal);
    if (result.ok) {
      failures = 0;
      return result;
    }
    failures++;
    // Ended by our own shutdown: the next start sends it again.
    if (signal.aborted || !hasDeployTarget()) return result;
    coveredUntilMs = now().getTime();
    await requestDeploy();
    return { ...result, gone: true };
  }

  return deliver;
}

async function send(
  { outbound, findPublished, userAgent, now }: RevalidationDeliverParts,
  { url, secret }: RevalidationTarget,
  { id, payload }: OutboxEntry,
  signal: AbortSignal,
): Promise<Delivered> {
  const body = toRevalidationBody(payload as RevalidationMessage, findPublished);
  const startedAt = performance.now();
  try {
    const { status, durationMs } = await outbound.request({
      ...{ url, method: 'POST', body, signal },
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...revalidationHeaders({ id, secret, body, at: now() }),
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (isSuccess(status)) return { ok: true, status, durationMs };
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return { ok: false, status, durationMs, detail: `answered ${status}${redirect}` };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { status, reason, message } = error;
    const known = {
      durationMs: Math.round(performance.now() - startedAt),
      ...(status === undefined ? {} : { status }),
    };
    // Whoever answered 2xx has it, however long its body is and however it ends.
    if (isSuccess(status)) return { ok: true, ...known };
    return { ok: false, detail: `${reason}: ${message}`, ...known };
  }
}

/** The signature is the HMAC-SHA256 of the raw body with the secret's text. */
export function revalidationHeaders(signed: {
  id: string;
  secret: string;
  body: Buffer;
  at: Date;
}): Record<string, string> {
  const { id, secret, body, at } = signed;
  return {
    'x-cms-event': 'content.revalidate',
    'x-cms-delivery': id,
    'x-cms-timestamp': String(Math.floor(at.getTime() / 1000)),
    'x-cms-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
